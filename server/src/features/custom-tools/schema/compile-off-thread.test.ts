import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileOffThread } from './compile-off-thread.ts';
import type { Turn } from './turns.ts';

const save: Turn = { project_id: 'prj_a', purpose: 'save' };

test('a schema that does not compile in time is refused, and the next one compiles', async () => {
  const endless = {
    properties: Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [index, { items: {} }])),
  };
  const results = await Promise.all([compileOffThread(endless, save, 1), compileOffThread({ type: 'object' }, save)]);
  assert.match('problem' in results[0] ? results[0].problem.message : '', /too complex/);
  assert.ok('source' in results[1]);
});

test('schemas of one project beyond what may wait are turned away for now, those of another are not', async () => {
  const compile = (turn: Turn) => compileOffThread({ type: 'object' }, turn);
  const [all, other] = await Promise.all([
    Promise.allSettled(Array.from({ length: 110 }, () => compile(save))),
    compile({ project_id: 'prj_b', purpose: 'save' }),
  ]);
  const turnedAway = all.filter((each) => each.status === 'rejected');
  assert.equal(turnedAway.length, 59, 'one is being compiled, fifty wait');
  assert.ok(turnedAway.every((each) => each.reason.status === 503));
  assert.ok('source' in other);
});

test('a call of another project waits for no more than the schema that is being compiled', async () => {
  const done: string[] = [];
  const note = (name: string) => () => done.push(name);
  await Promise.all([
    ...Array.from({ length: 40 }, () => compileOffThread({ type: 'object' }, save).then(note('save'))),
    compileOffThread({ type: 'object' }, { project_id: 'prj_b', purpose: 'call' }).then(note('call')),
  ]);
  assert.equal(done.indexOf('call'), 1);
});
