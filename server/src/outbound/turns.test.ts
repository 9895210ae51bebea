import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lane, ProjectTurns } from './turns.ts';

function start(limits: { max_per_project: number; max_per_origin: number; max_waiting: number }) {
  const turns = new ProjectTurns(limits);
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
  const { turns, started, call } = start({ max_per_project: 9, max_per_origin: 1, max_waiting: 9 });
  const lane = new Lane();
  assert.equal(turns.take(lane, call('first')), 'go');
  for (const name of ['second', 'third', 'fourth']) assert.equal(turns.take(lane, call(name)), 'wait');
  for (let ended = 0; ended < 4; ended += 1) turns.giveBack(lane);
  assert.deepEqual(started, ['second', 'third', 'fourth']);
  assert.equal(lane.is_idle, true);
});

test('a full origin does not keep the project from its other origins', () => {
  const { turns, call } = start({ max_per_project: 4, max_per_origin: 2, max_waiting: 9 });
  const [hanging, other] = [new Lane(), new Lane()];
  const outcomes = [1, 2, 3].map((name) => turns.take(hanging, call(`hanging ${name}`)));
  assert.deepEqual(outcomes, ['go', 'go', 'wait']);
  assert.deepEqual([turns.take(other, call('a')), turns.take(other, call('b'))], ['go', 'go']);
});

test('origins take turns, so a long line at one does not starve another', () => {
  const { turns, started, call } = start({ max_per_project: 2, max_per_origin: 2, max_waiting: 99 });
  const [busy, quiet] = [new Lane(), new Lane()];
  for (let name = 1; name <= 7; name += 1) turns.take(busy, call(`busy ${name}`));
  turns.take(quiet, call('quiet 1'));
  turns.take(quiet, call('quiet 2'));
  for (let ended = 0; ended < 2; ended += 1) turns.giveBack(busy);
  assert.deepEqual(started, ['busy 3', 'quiet 1']);
});

test('who leaves the line is not started, and makes room in it', () => {
  const { turns, started, call } = start({ max_per_project: 1, max_per_origin: 1, max_waiting: 2 });
  const lane = new Lane();
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
  const { turns, started, call } = start({ max_per_project: 1, max_per_origin: 1, max_waiting: 10_000 });
  const lane = new Lane();
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
  const { turns, started, call } = start({ max_per_project: 1, max_per_origin: 1, max_waiting: 9 });
  const lane = new Lane();
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
