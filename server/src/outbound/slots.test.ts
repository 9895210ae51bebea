import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Group, Lane, Part, type SlotLimits, Slots } from './slots.ts';

function start(limits: Partial<SlotLimits>) {
  const turns = new Slots({ max_total: 99, max_per_part: 99, max_per_origin: 99, max_waiting: 99, ...limits });
  const started: string[] = [];
  const call = (name: string, onStart = () => {}) => ({
    start() {
      started.push(name);
      onStart();
    },
  });
  return { turns, started, call };
}

test('calls to one origin start in the order they came', () => {
  const { turns, started, call } = start({ max_per_part: 9, max_per_origin: 1, max_waiting: 9 });
  const lane = new Lane(new Part(new Group()));
  assert.equal(turns.take(lane, call('first')), 'go');
  for (const name of ['second', 'third', 'fourth']) assert.equal(turns.take(lane, call(name)), 'wait');
  for (let ended = 0; ended < 4; ended += 1) turns.giveBack(lane);
  assert.deepEqual(started, ['second', 'third', 'fourth']);
  assert.equal(lane.is_idle, true);
});

test('a full origin does not keep the group from its other origins', () => {
  const { turns, call } = start({ max_per_part: 4, max_per_origin: 2, max_waiting: 9 });
  const part = new Part(new Group());
  const [hanging, other] = [new Lane(part), new Lane(part)];
  const outcomes = [1, 2, 3].map((name) => turns.take(hanging, call(`hanging ${name}`)));
  assert.deepEqual(outcomes, ['go', 'go', 'wait']);
  assert.deepEqual([turns.take(other, call('a')), turns.take(other, call('b'))], ['go', 'go']);
});

test('origins take turns, so a long line at one does not starve another', () => {
  const { turns, started, call } = start({ max_per_part: 2, max_per_origin: 2, max_waiting: 99 });
  const part = new Part(new Group());
  const [busy, quiet] = [new Lane(part), new Lane(part)];
  for (let name = 1; name <= 7; name += 1) turns.take(busy, call(`busy ${name}`));
  turns.take(quiet, call('quiet 1'));
  turns.take(quiet, call('quiet 2'));
  for (let ended = 0; ended < 2; ended += 1) turns.giveBack(busy);
  assert.deepEqual(started, ['busy 3', 'quiet 1']);
});

test('who leaves the line is not started, and makes room in it', () => {
  const { turns, started, call } = start({ max_per_part: 1, max_per_origin: 1, max_waiting: 2 });
  const lane = new Lane(new Part(new Group()));
  const [second, third] = [call('second'), call('third')];
  turns.take(lane, call('first'));
  turns.take(lane, second);
  turns.take(lane, third);
  assert.equal(turns.take(lane, call('fourth')), 'full');
  turns.leave(lane, second);
  turns.leave(lane, second);
  assert.equal(turns.take(lane, call('fifth')), 'wait');
  turns.giveBack(lane);
  turns.giveBack(lane);
  assert.deepEqual(started, ['third', 'fifth']);
});

test('ten thousand calls that end the moment they start do not nest', () => {
  const { turns, started, call } = start({ max_per_part: 1, max_per_origin: 1, max_waiting: 10_000 });
  const lane = new Lane(new Part(new Group()));
  turns.take(lane, call('first'));
  for (let name = 0; name < 10_000; name += 1)
    turns.take(
      lane,
      call('short', () => turns.giveBack(lane)),
    );
  turns.giveBack(lane);
  assert.equal(started.length, 10_000);
  assert.equal(lane.is_idle, true);
});

test('a call that throws when it starts gives up its place, and those behind it start all the same', () => {
  const { turns, started, call } = start({ max_per_part: 1, max_per_origin: 1, max_waiting: 9 });
  const lane = new Lane(new Part(new Group()));
  const bad = call('bad', () => {
    throw new Error('cannot start');
  });
  assert.equal(turns.take(lane, call('first')), 'go');
  for (const waiter of [bad, call('second'), { ...bad }, call('third')]) assert.equal(turns.take(lane, waiter), 'wait');
  assert.throws(() => turns.giveBack(lane), /cannot start/);
  assert.deepEqual(started, ['bad', 'second']);
  assert.throws(() => turns.giveBack(lane), /cannot start/);
  assert.deepEqual(started, ['bad', 'second', 'bad', 'third']);
  turns.giveBack(lane);
  assert.equal(lane.is_idle, true);
  assert.equal(turns.take(lane, call('later')), 'go');
});

test('when all slots are taken, groups take turns: a long queue of one delays another by one call', () => {
  const { turns, started, call } = start({ max_total: 2 });
  const lanes = [new Lane(new Part(new Group())), new Lane(new Part(new Group())), new Lane(new Part(new Group()))];
  const [busy, second, third] = lanes as [Lane, Lane, Lane];
  for (let name = 1; name <= 6; name += 1) turns.take(busy, call(`busy ${name}`));
  for (const name of ['second 1', 'second 2']) assert.equal(turns.take(second, call(name)), 'wait');
  assert.equal(turns.take(third, call('third 1')), 'wait');
  for (let ended = 0; ended < 2; ended += 1) turns.giveBack(busy);
  assert.deepEqual(started, ['busy 3', 'second 1']);
  turns.giveBack(busy);
  turns.giveBack(second);
  assert.deepEqual(started, ['busy 3', 'second 1', 'third 1', 'busy 4']);
  for (const lane of [third, busy, second]) turns.giveBack(lane);
  assert.deepEqual(started.slice(4), ['second 2', 'busy 5', 'busy 6']);
});

test('a group that has as many slots as it may have is passed over', () => {
  const { turns, started, call } = start({ max_total: 3, max_per_part: 2 });
  const [full, other, third] = [
    new Lane(new Part(new Group())),
    new Lane(new Part(new Group())),
    new Lane(new Part(new Group())),
  ];
  for (let name = 1; name <= 4; name += 1) turns.take(full, call(`full ${name}`));
  assert.equal(turns.take(other, call('other 1')), 'go');
  assert.equal(turns.take(third, call('third 1')), 'wait');
  turns.giveBack(other);
  assert.deepEqual(started, ['third 1']);
  turns.giveBack(third);
  assert.deepEqual(started, ['third 1']);
  assert.equal(turns.take(other, call('other 2')), 'go');
});

test('parts of a group, such as its webhooks, have slots of their own', () => {
  const { turns, call } = start({ max_per_part: 1 });
  const group = new Group();
  const [hanging, other] = [new Lane(new Part(group)), new Lane(new Part(group))];
  assert.deepEqual([turns.take(hanging, call('a')), turns.take(hanging, call('b'))], ['go', 'wait']);
  assert.equal(turns.take(other, call('c')), 'go');
});

test('the calls of one group that wait leave room in the queue for those of another', () => {
  const { turns, call } = start({ max_total: 1, max_waiting: 1 });
  const [first, other] = [new Lane(new Part(new Group())), new Lane(new Part(new Group()))];
  assert.deepEqual(
    ['a', 'b', 'c'].map((name) => turns.take(first, call(name))),
    ['go', 'wait', 'full'],
  );
  assert.equal(turns.take(other, call('d')), 'wait');
});
