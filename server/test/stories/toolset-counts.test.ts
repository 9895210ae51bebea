// How many tools a toolset has is stored: lists and consent pages do not count them.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { untilLockWait } from '../support/database/until-lock-wait.ts';
import { expectResponse, makeTenant, unique } from '../support/make/make.ts';
import { makeTool } from '../support/make/make-tools.ts';
import { makeToolset } from '../support/make/make-toolset.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { api, app } = server;
const tenant = await makeTenant(server, { plan: 'enterprise' });
const toolsets = `/projects/${tenant.id}/toolsets`;

const tool = (fields: object = {}) => makeTool(server, tenant.keys.write, customer, fields);
const change = async (path: string, body: object) =>
  expectResponse(await api('PATCH', path, { key: ROOT_KEY, body, headers: { 'x-project-id': tenant.id } }), 200);
const deleteTool = async (id: string) =>
  expectResponse(await api('DELETE', `/custom-tools/${id}`, { key: tenant.keys.admin }), 204);

/** What is stored, and what there is. */
async function countsOf(toolset_id: string): Promise<[stored: number[], counted: number[]]> {
  const stored = await app.pool.query('select tool_count, writing_count from toolset_counts where toolset_id = $1', [
    toolset_id,
  ]);
  const counted = await app.pool.query(
    `select count(*)::integer as tool_count, (count(*) filter (where not t.is_read_only))::integer as writing_count
    from toolset_tools m join custom_tools t on t.id = m.tool_id where m.toolset_id = $1`,
    [toolset_id],
  );
  const numbers = ({ tool_count, writing_count }: { tool_count: number; writing_count: number }) => [
    tool_count,
    writing_count,
  ];
  return [numbers(stored.rows[0] ?? { tool_count: 0, writing_count: 0 }), numbers(counted.rows[0])];
}

async function expectCounts(toolset_id: string, expected: [tools: number, writing: number]): Promise<void> {
  assert.deepEqual(await countsOf(toolset_id), [expected, expected]);
  const shown = expectResponse(await api('GET', `${toolsets}/${toolset_id}`, { key: ROOT_KEY }), 200);
  assert.equal(shown.tool_count, expected[0]);
}

test('the stored counts follow every change of a toolset and of its tools', async () => {
  const tag = unique('tag');
  const [named, tagged] = [await tool(), await tool({ tags: [tag], annotations: { readOnlyHint: true } })];
  const all = await makeToolset(server, tenant.id, { tool_ids: [named.id], tags: [tag] });
  const reading = await makeToolset(server, tenant.id, { tool_ids: [named.id], tags: [tag], only: 'read_only' });
  const expectBoth = async (ofAll: [number, number], ofReading: number) => {
    await expectCounts(all.id, ofAll);
    await expectCounts(reading.id, [ofReading, 0]);
  };
  await expectBoth([2, 1], 1);
  await change(`/custom-tools/${named.id}`, { annotations: { readOnlyHint: true } });
  await expectBoth([2, 0], 2);
  await change(`/custom-tools/${tagged.id}`, { annotations: { readOnlyHint: false } });
  await expectBoth([2, 1], 1);
  const third = await tool({ tags: [tag] });
  await expectBoth([3, 2], 1);
  await change(`/custom-tools/${third.id}`, { tags: [] });
  await expectBoth([2, 1], 1);
  await deleteTool(tagged.id);
  await expectBoth([1, 0], 1);
  await change(`${toolsets}/${all.id}`, { tool_ids: [] });
  await expectBoth([0, 0], 1);
  await change(`${toolsets}/${all.id}`, { tool_ids: [named.id, third.id], only: 'read_only' });
  await expectBoth([1, 0], 1);
  expectResponse(await api('DELETE', `${toolsets}/${all.id}`, { key: ROOT_KEY }), 204);
  assert.deepEqual((await countsOf(all.id))[0], [0, 0]);
});

test('of two changes at the same time the second counts what the first has changed', async (context) => {
  const tag = unique('race');
  const [, gone] = [await tool({ tags: [tag] }), await tool({ tags: [tag] })];
  const toolset = await makeToolset(server, tenant.id, { tags: [tag] });
  const holder = new pg.Client(app.config.database_url ?? '');
  await holder.connect();
  context.after(() => holder.end());
  await holder.query('begin');
  await holder.query('select from toolset_counts where toolset_id = $1 for update', [toolset.id]);
  const made = tool({ tags: [tag] });
  await untilLockWait(app.background, 1);
  const deleted = deleteTool(gone.id);
  await untilLockWait(app.background, 2);
  await holder.query('commit');
  await Promise.all([made, deleted]);
  await expectCounts(toolset.id, [2, 2]);
});

test('the stored counts are right after changes at the same time', async () => {
  for (let round = 0; round < 3; round += 1) {
    const tag = unique('race');
    const [kept, gone] = [await tool({ tags: [tag] }), await tool({ tags: [tag] })];
    const toolset = await makeToolset(server, tenant.id, { tags: [tag] });
    await Promise.all([
      tool({ tags: [tag] }),
      deleteTool(gone.id),
      change(`/custom-tools/${kept.id}`, { annotations: { readOnlyHint: true } }),
      change(`${toolsets}/${toolset.id}`, { tool_ids: [kept.id] }),
      tool({ tags: [tag] }),
    ]);
    await expectCounts(toolset.id, [3, 2]);
  }
});
