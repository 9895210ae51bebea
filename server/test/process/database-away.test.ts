// The database goes away and comes back. These tests look at the clock, because the promise itself is one of time:
// an answer within 2 s while it is away, normal again within 5 s of its return.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { cutOff } from '../cut-off.ts';
import { expectAnswer } from '../make.ts';
import { killPostgres, type ServerProcess, startProcess, until } from '../start-process.ts';
import { type Answer, ROOT_KEY } from '../start-server.ts';
import { copyTemplate } from '../test-database.ts';

const ANSWER_WITHIN_MS = 2_000;
const NORMAL_WITHIN_MS = 5_000;
const key = ROOT_KEY;

const createProject = (server: ServerProcess) =>
  server.api('POST', '/projects', { key, body: { name: 'Shop', plan: 'enterprise' } });

/** Every request is answered in time; answers those answers. */
async function inTime(requests: Promise<Answer>[]): Promise<Answer[]> {
  const began = performance.now();
  return Promise.all(
    requests.map(async (request) => {
      const answer = await request;
      const took = performance.now() - began;
      assert.ok(took <= ANSWER_WITHIN_MS, `${answer.status} after ${Math.round(took)} ms`);
      return answer;
    }),
  );
}

function expectAway(answer: Answer): void {
  expectAnswer(answer, 503, 'Service unavailable');
  assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
}

async function expectNormalAgain(server: ServerProcess): Promise<void> {
  const isNormal = async () => (await createProject(server)).status === 201;
  await until(isNormal, NORMAL_WITHIN_MS, 'a project can be made again');
  await until(async () => (await server.api('GET', '/readyz')).status === 200, 1_000, 'it is ready again');
}

const database = await copyTemplate();
after(database.drop);
const way = await cutOff(database.url);
const external = await startProcess({
  DATABASE_URL: way.url,
  TOOLGATE_ROOT_KEY: ROOT_KEY,
  TOOLGATE_MASTER_KEYS: `t1:${Buffer.alloc(32, 7).toString('base64')}`,
});

for (const [what, leave] of [
  ['is stopped', way.cut],
  ['no longer answers', async () => way.freeze()],
] as const) {
  test(`when the external database ${what}, requests get 503 in time, and it is normal again soon after`, async () => {
    const project = expectAnswer(await createProject(external), 201);
    await leave();
    const requests = [
      createProject(external),
      createProject(external),
      external.api('PATCH', `/projects/${project.id}`, { key, body: { name: 'x' } }),
      external.api('GET', '/projects', { key }),
    ];
    for (const answer of await inTime(requests)) expectAway(answer);
    expectAway(await external.api('GET', '/readyz'));
    expectAnswer(await external.api('GET', '/healthz'), 200);
    for (const answer of await inTime([createProject(external), external.api('GET', '/projects', { key })])) {
      expectAway(answer);
    }
    await way.restore();
    await expectNormalAgain(external);
  });
}

test('an outage longer than any timeout changes nothing of that', async () => {
  way.freeze();
  await until(async () => (await external.api('GET', '/readyz')).status === 503, ANSWER_WITHIN_MS, 'it is not ready');
  for (let round = 0; round < 5; round += 1) {
    for (const answer of await inTime([createProject(external)])) expectAway(answer);
    await way.cut();
    for (const answer of await inTime([createProject(external)])) expectAway(answer);
    await way.restore();
    way.freeze();
  }
  await way.restore();
  await expectNormalAgain(external);
  assert.deepEqual(await external.stop(), { code: 0, signal: null });
});

test('an embedded PostgreSQL that is killed comes back by itself; until then requests get 503 in time', async () => {
  const server = await startProcess({ TOOLGATE_ROOT_KEY: ROOT_KEY });
  const project = expectAnswer(await createProject(server), 201);
  killPostgres(server.data_dir, 'SIGKILL');
  const statuses = new Set<number>();
  const isNormal = async () => {
    const [answer] = await inTime([createProject(server)]);
    statuses.add(answer?.status ?? 0);
    if (answer?.status === 503) expectAway(answer);
    return answer?.status === 201;
  };
  // The first answer may still be 201 when the request came before the news; it must not be the last word.
  await until(async () => (await server.api('GET', '/readyz')).status === 503, ANSWER_WITHIN_MS, 'it is not ready');
  await until(isNormal, NORMAL_WITHIN_MS, 'a project can be made again');
  assert.deepEqual([...statuses].sort(), [201, 503]);
  expectAnswer(await server.api('GET', `/projects/${project.id}`, { key }), 200);
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
});
