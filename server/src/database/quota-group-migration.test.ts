import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEarlierSchema } from '../../test/migrate-from.ts';

const { client, migrateBefore } = await openEarlierSchema('0010');

async function insertProject(id: string, plan: string): Promise<void> {
  await client.query(
    `insert into projects (id, organization_id, name, environment, plan)
     select $1, id, $1, 'development', $2 from organizations limit 1`,
    [id, plan],
  );
  await client.query(
    `insert into api_keys (id, project_id, name, permissions, hash, prefix, last4, created_by)
     values ($1, $2, 'k', '{write}', sha256(convert_to($1::text, 'UTF8')), 'svc_test_', 'last', 'root')`,
    [`key_of_${id}`, id],
  );
}

const insertEntry = (actor_kind: string, actor_id: string | null, action: string, target: string, after: object) =>
  client.query(
    `insert into audit_entries (id, organization_id, project_id, created_at, actor_kind, actor_id, action, target_id, after)
     select $1, id, $2, now(), $3, $4, $5, $2, $6 from organizations limit 1`,
    [`aud_${Math.random()}`, target, actor_kind, actor_id, action, JSON.stringify(after)],
  );

test('siblings from before the migration join the group of the project whose key made them', async () => {
  for (const [id, plan] of [
    ['first', 'pro'],
    ['child', 'free'],
    ['grandchild', 'free'],
    ['promoted', 'enterprise'],
    ['alone', 'free'],
  ] as const)
    await insertProject(id, plan);
  for (const [maker, made] of [
    ['first', 'child'],
    ['child', 'grandchild'],
    ['first', 'promoted'],
  ] as const)
    await insertEntry('api_key', `key_of_${maker}`, 'project.created', made, { id: made });
  await insertEntry('root', null, 'project.updated', 'promoted', { plan: 'enterprise' });

  await migrateBefore('0011');
  const { rows } = await client.query('select id, quota_group_id, plan from projects order by id');
  assert.deepEqual(rows, [
    { id: 'alone', quota_group_id: 'alone', plan: 'free' },
    { id: 'child', quota_group_id: 'first', plan: 'pro' },
    { id: 'first', quota_group_id: 'first', plan: 'pro' },
    { id: 'grandchild', quota_group_id: 'first', plan: 'pro' },
    { id: 'promoted', quota_group_id: 'promoted', plan: 'enterprise' },
  ]);
});
