import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTurns, type Turn, type Turns } from './turns.ts';

const most = { of_project: 50, of_all: 1_000 };
const save = (project_id: string): Turn => ({ project_id, purpose: 'save' });
const call = (project_id: string): Turn => ({ project_id, purpose: 'call' });

function all(turns: Turns<string>): string[] {
  const jobs: string[] = [];
  for (let job = turns.next(); job !== undefined; job = turns.next()) jobs.push(job);
  return jobs;
}

test('a project waits for one job of each other project, however many those have', () => {
  const turns = createTurns<string>(most);
  for (let i = 0; i < 50; i += 1) turns.add(save('many'), `many ${i}`);
  turns.add(save('few'), 'few 0');
  turns.add(save('few'), 'few 1');
  turns.add(save('one'), 'one 0');
  assert.deepEqual(all(turns).slice(0, 6), ['many 0', 'few 0', 'one 0', 'many 1', 'few 1', 'many 2']);
});

test('a project that comes back goes to the end of the line', () => {
  const turns = createTurns<string>(most);
  turns.add(save('a'), 'a 0');
  turns.add(save('b'), 'b 0');
  assert.equal(turns.next(), 'a 0');
  turns.add(save('a'), 'a 1');
  turns.add(save('c'), 'c 0');
  assert.deepEqual(all(turns), ['b 0', 'a 1', 'c 0']);
});

test('what a call waits for goes before what a save waits for', () => {
  const turns = createTurns<string>(most);
  turns.add(save('a'), 'save a');
  turns.add(save('b'), 'save b');
  turns.add(call('b'), 'call b');
  turns.add(call('a'), 'call a');
  assert.deepEqual(all(turns), ['call b', 'call a', 'save a', 'save b']);
});

test('one project fills only its own places, and its saves leave those of its calls free', () => {
  const turns = createTurns<string>({ of_project: 2, of_all: 5 });
  assert.deepEqual(
    ['1', '2', '3'].map((job) => turns.add(save('a'), job)),
    [true, true, false],
  );
  assert.equal(turns.add(call('a'), 'call'), true);
  assert.equal(turns.add(save('b'), 'b'), true);
  assert.equal(turns.add(save('c'), 'c'), true);
  assert.equal(turns.add(save('d'), 'd'), false, 'there is an end for all together');
  turns.next();
  assert.equal(turns.add(save('d'), 'd'), true);
});
