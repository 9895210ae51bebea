import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Compiler, createCompiler } from './compile-off-thread.ts';
import type { Requester } from './compile-queue.ts';

const busy = new Error('busy');
const compiler = createCompiler(() => busy);
after(() => compiler.close());

const save: Requester = { fairness_key: 'group_a', purpose: 'save' };

/** Far above what a tool may have: seconds of work for the compiler. */
const endless = {
  properties: Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [index, { items: { minLength: 1 } }])),
};

/** On a machine so busy that the thread hardly runs, the caller is asked to try again. */
async function compileForSure(schema: Parameters<Compiler['compile']>[0]): ReturnType<Compiler['compile']> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await compiler.compile(schema, save);
    } catch (error) {
      if (error !== busy || attempt === 10) throw error;
    }
  }
}

test('a schema that needs more than a second of CPU time is refused, and the next one compiles', async () => {
  await compileForSure({ type: 'object' });
  const [refused, next] = await Promise.all([compileForSure(endless), compileForSure({ type: 'object' })]);
  assert.match('problem' in refused ? refused.problem.message : '', /too complex/);
  assert.ok('code' in next);
});

test('a saved schema that a call waits for is not blamed for a slow machine: the call may be tried again', async () => {
  await assert.rejects(compiler.compile(endless, { fairness_key: 'group_a', purpose: 'call' }, 1), busy);
});

test('schemas of one quota group beyond what may wait are turned away for now, those of another are not', async () => {
  const compile = (requester: Requester) => compiler.compile({ type: 'object' }, requester);
  await compileForSure({ type: 'object' }); // the thread of the last test was ended
  const [all, other] = await Promise.all([
    Promise.allSettled(Array.from({ length: 110 }, () => compile(save))),
    compile({ fairness_key: 'group_b', purpose: 'save' }),
  ]);
  const turnedAway = all.filter((each) => each.status === 'rejected');
  assert.equal(turnedAway.length, 59, 'one is being compiled, fifty wait');
  assert.ok(turnedAway.every((each) => each.reason === busy));
  assert.ok('code' in other);
});

test('a call of another quota group waits for no more than the schema that is being compiled', async () => {
  const done: string[] = [];
  const note = (name: string) => () => done.push(name);
  await Promise.all([
    ...Array.from({ length: 40 }, () => compiler.compile({ type: 'object' }, save).then(note('save'))),
    compiler.compile({ type: 'object' }, { fairness_key: 'group_b', purpose: 'call' }).then(note('call')),
  ]);
  assert.equal(done.indexOf('call'), 1);
});
