import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTurns, type Turns } from './turns.ts';

function drain(turns: Turns<string>): string[] {
  const items: string[] = [];
  for (let item = turns.next(); item !== undefined; item = turns.next()) items.push(item);
  return items;
}

function turnsOf(...items: string[]): Turns<string> {
  const turns = createTurns<string>();
  for (const item of items) turns.add(item[0] as string, item);
  return turns;
}

test('each key has one turn in a round, and its items keep their order', () => {
  assert.deepEqual(drain(turnsOf('a1', 'a2', 'a3', 'b1', 'b2', 'c1')), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('a key that comes back has its turn after all that wait', () => {
  const turns = turnsOf('a1', 'b1');
  assert.equal(turns.next(), 'a1');
  turns.add('a', 'a2');
  turns.add('c', 'c1');
  assert.deepEqual(drain(turns), ['b1', 'a2', 'c1']);
});

test('the key that had the last turn does not have the next one before another that came after it', () => {
  const turns = turnsOf('a1');
  assert.equal(turns.next(), 'a1');
  for (const item of ['a2', 'a3', 'b1']) turns.add(item[0] as string, item);
  assert.deepEqual(drain(turns), ['b1', 'a2', 'a3']);
});

test('an item that is chosen takes the turn of its key', () => {
  const turns = turnsOf('a1', 'a2', 'b1');
  assert.equal(
    turns.next((items) => [...items].at(-1)),
    'a2',
  );
  assert.deepEqual(drain(turns), ['b1', 'a1']);
});

test('an item that is removed has no turn, and leaves no empty queue', () => {
  const turns = turnsOf('a1', 'b1', 'b2');
  assert.equal(turns.remove('a', 'a1'), true);
  assert.equal(turns.remove('a', 'a1'), false);
  assert.equal(turns.remove('b', 'a1'), false);
  assert.deepEqual([...turns.queues.keys()], ['b']);
  assert.deepEqual([turns.size, turns.sizeOf('a'), turns.sizeOf('b')], [2, 0, 2]);
  assert.deepEqual(drain(turns), ['b1', 'b2']);
  assert.deepEqual([turns.size, turns.next()], [0, undefined]);
});
