import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEarlierSchema } from '../../test/migrate-from.ts';

const { client, migrateBefore } = await openEarlierSchema('0015');

test('deliveries queued before the migration count for the quota group of their project', async () => {
  await client.query(`
    insert into projects (id, organization_id, name, environment, plan, quota_group_id)
      select 'sibling', id, 'sibling', 'development', 'free', 'first' from organizations limit 1;
    insert into webhooks (id, project_id, url, events, is_enabled, secret, created_by)
      values ('hook', 'sibling', 'https://a.example/', '{*}', true, 'sealed', 'root');
    insert into events (id, project_id, type, payload, created_at) values ('event', 'sibling', 'ping', '{}', now());
    insert into deliveries (id, project_id, webhook_id, event_id, event_type, status, created_at)
      values ('delivery', 'sibling', 'hook', 'event', 'ping', 'pending', now());
    insert into jobs (kind, subject, lane, state, run_at) values
      ('delivery', 'delivery', 'hook', 'ready', now()), ('recurring', 'retention', 'retention', 'waiting', now());`);
  await migrateBefore('0016');
  const { rows } = await client.query('select subject, fairness_key from jobs order by subject');
  assert.deepEqual(rows, [
    { subject: 'delivery', fairness_key: 'first' },
    { subject: 'retention', fairness_key: '' },
  ]);
});
