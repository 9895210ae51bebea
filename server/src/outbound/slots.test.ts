import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareOf } from './pace.ts';
import { Group, OriginQueue, Part, type SlotLimits, Slots } from './slots.ts';

function start(limits: Partial<SlotLimits>) {
  const slots = new Slots({
    max_total: 99,
    max_per_group: 99,
    max_per_part: 99,
    max_per_origin: 99,
    max_waiting: 99,
    ...limits,
  });
  const started: string[] = [];
  const call = (name: string, onStart = () => {}) => ({
    start() {
      started.push(name);
      onStart();
    },
  });
  return { slots, started, call };
}

test('calls to one origin start in the order they came', () => {
  const { slots, started, call } = start({ max_per_part: 9, max_per_origin: 1, max_waiting: 9 });
  const queue = new OriginQueue(new Part(new Group(shareOf('org_1'))));
  assert.equal(slots.acquire(queue, call('first')), 'acquired');
  for (const name of ['second', 'third', 'fourth']) assert.equal(slots.acquire(queue, call(name)), 'queued');
  for (let ended = 0; ended < 4; ended += 1) slots.release(queue);
  assert.deepEqual(started, ['second', 'third', 'fourth']);
  assert.equal(queue.is_idle, true);
});

test('a full origin does not block the other origins of its group', () => {
  const { slots, call } = start({ max_per_part: 4, max_per_origin: 2, max_waiting: 9 });
  const part = new Part(new Group(shareOf('org_1')));
  const [hanging, other] = [new OriginQueue(part), new OriginQueue(part)];
  const outcomes = [1, 2, 3].map((name) => slots.acquire(hanging, call(`hanging ${name}`)));
  assert.deepEqual(outcomes, ['acquired', 'acquired', 'queued']);
  assert.deepEqual([slots.acquire(other, call('a')), slots.acquire(other, call('b'))], ['acquired', 'acquired']);
});

test('slots go round-robin to the origins: a long queue of one does not starve another', () => {
  const { slots, started, call } = start({ max_per_part: 2, max_per_origin: 2, max_waiting: 99 });
  const part = new Part(new Group(shareOf('org_1')));
  const [busy, quiet] = [new OriginQueue(part), new OriginQueue(part)];
  for (let name = 1; name <= 7; name += 1) slots.acquire(busy, call(`busy ${name}`));
  slots.acquire(quiet, call('quiet 1'));
  slots.acquire(quiet, call('quiet 2'));
  for (let ended = 0; ended < 2; ended += 1) slots.release(busy);
  assert.deepEqual(started, ['busy 3', 'quiet 1']);
});

test('a cancelled waiter is not started, and makes room in the queue', () => {
  const { slots, started, call } = start({ max_per_part: 1, max_per_origin: 1, max_waiting: 2 });
  const queue = new OriginQueue(new Part(new Group(shareOf('org_1'))));
  const [second, third] = [call('second'), call('third')];
  slots.acquire(queue, call('first'));
  slots.acquire(queue, second);
  slots.acquire(queue, third);
  assert.equal(slots.acquire(queue, call('fourth')), 'full');
  slots.cancel(queue, second);
  slots.cancel(queue, second);
  assert.equal(slots.acquire(queue, call('fifth')), 'queued');
  slots.release(queue);
  slots.release(queue);
  assert.deepEqual(started, ['third', 'fifth']);
});

test('ten thousand calls that end the moment they start do not nest', () => {
  const { slots, started, call } = start({ max_per_part: 1, max_per_origin: 1, max_waiting: 10_000 });
  const queue = new OriginQueue(new Part(new Group(shareOf('org_1'))));
  slots.acquire(queue, call('first'));
  for (let name = 0; name < 10_000; name += 1)
    slots.acquire(
      queue,
      call('short', () => slots.release(queue)),
    );
  slots.release(queue);
  assert.equal(started.length, 10_000);
  assert.equal(queue.is_idle, true);
});

test('a call that throws when it starts releases its slot, and the calls queued after it start', () => {
  const { slots, started, call } = start({ max_per_part: 1, max_per_origin: 1, max_waiting: 9 });
  const queue = new OriginQueue(new Part(new Group(shareOf('org_1'))));
  const bad = call('bad', () => {
    throw new Error('cannot start');
  });
  assert.equal(slots.acquire(queue, call('first')), 'acquired');
  for (const waiter of [bad, call('second'), { ...bad }, call('third')])
    assert.equal(slots.acquire(queue, waiter), 'queued');
  assert.throws(() => slots.release(queue), /cannot start/);
  assert.deepEqual(started, ['bad', 'second']);
  assert.throws(() => slots.release(queue), /cannot start/);
  assert.deepEqual(started, ['bad', 'second', 'bad', 'third']);
  slots.release(queue);
  assert.equal(queue.is_idle, true);
  assert.equal(slots.acquire(queue, call('later')), 'acquired');
});

test('when all slots are in use, they go round-robin to the groups: a long queue of one delays another by one call', () => {
  const { slots, started, call } = start({ max_total: 2 });
  const queues = [
    new OriginQueue(new Part(new Group(shareOf('org_1')))),
    new OriginQueue(new Part(new Group(shareOf('org_1')))),
    new OriginQueue(new Part(new Group(shareOf('org_1')))),
  ];
  const [busy, second, third] = queues as [OriginQueue, OriginQueue, OriginQueue];
  for (let name = 1; name <= 6; name += 1) slots.acquire(busy, call(`busy ${name}`));
  for (const name of ['second 1', 'second 2']) assert.equal(slots.acquire(second, call(name)), 'queued');
  assert.equal(slots.acquire(third, call('third 1')), 'queued');
  for (let ended = 0; ended < 2; ended += 1) slots.release(busy);
  assert.deepEqual(started, ['busy 3', 'second 1']);
  slots.release(busy);
  slots.release(second);
  assert.deepEqual(started, ['busy 3', 'second 1', 'third 1', 'busy 4']);
  for (const queue of [third, busy, second]) slots.release(queue);
  assert.deepEqual(started.slice(4), ['second 2', 'busy 5', 'busy 6']);
});

test('a group that uses all its slots is skipped', () => {
  const { slots, started, call } = start({ max_total: 3, max_per_part: 2 });
  const [full, other, third] = [
    new OriginQueue(new Part(new Group(shareOf('org_1')))),
    new OriginQueue(new Part(new Group(shareOf('org_1')))),
    new OriginQueue(new Part(new Group(shareOf('org_1')))),
  ];
  for (let name = 1; name <= 4; name += 1) slots.acquire(full, call(`full ${name}`));
  assert.equal(slots.acquire(other, call('other 1')), 'acquired');
  assert.equal(slots.acquire(third, call('third 1')), 'queued');
  slots.release(other);
  assert.deepEqual(started, ['third 1']);
  slots.release(third);
  assert.deepEqual(started, ['third 1']);
  assert.equal(slots.acquire(other, call('other 2')), 'acquired');
});

test('parts of a group, such as its webhooks, have slots of their own', () => {
  const { slots, call } = start({ max_per_part: 1 });
  const group = new Group(shareOf('org_1'));
  const [hanging, other] = [new OriginQueue(new Part(group)), new OriginQueue(new Part(group))];
  assert.deepEqual([slots.acquire(hanging, call('a')), slots.acquire(hanging, call('b'))], ['acquired', 'queued']);
  assert.equal(slots.acquire(other, call('c')), 'acquired');
});

test('the waiting calls of one group leave room in the queue for those of another', () => {
  const { slots, call } = start({ max_total: 1, max_waiting: 1 });
  const [first, other] = [
    new OriginQueue(new Part(new Group(shareOf('org_1')))),
    new OriginQueue(new Part(new Group(shareOf('org_1')))),
  ];
  assert.deepEqual(
    ['a', 'b', 'c'].map((name) => slots.acquire(first, call(name))),
    ['acquired', 'queued', 'full'],
  );
  assert.equal(slots.acquire(other, call('d')), 'queued');
});

test('a group with many parts has no more slots than a group may have, and the next of its calls starts when one ends', () => {
  const { slots, started, call } = start({ max_per_group: 2 });
  const group = new Group(shareOf('org_1'));
  const queues = [1, 2, 3].map(() => new OriginQueue(new Part(group)));
  const outcomes = queues.map((queue, index) => slots.acquire(queue, call(`part ${index}`)));
  assert.deepEqual(outcomes, ['acquired', 'acquired', 'queued']);
  assert.equal(slots.acquire(new OriginQueue(new Part(new Group(shareOf('org_1')))), call('other group')), 'acquired');
  slots.release(queues[0] as OriginQueue);
  assert.deepEqual(started, ['part 2']);
});
