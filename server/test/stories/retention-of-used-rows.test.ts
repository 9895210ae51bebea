// A row that is old enough to be deleted and is used again at that moment stays.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { removeOldRows } from '../../src/retention.ts';
import { makeProject } from '../support/make/make.ts';
import { startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const { app } = server;
const { id: project_id } = await makeProject(server);
const [old, now] = [app.now() - 400 * 86_400_000, app.now()].map((ms) => new Date(ms).toISOString());
const bytes = Buffer.alloc(32);

await sql`insert into events (id, project_id, type, payload, created_at)
  values ('evt_x', ${project_id}, 'x', '{}', ${now})`.execute(app.database);
await sql`insert into webhooks (id, project_id, url, events, is_enabled, secret, created_by)
  values ('wh_x', ${project_id}, 'https://x', '{}', true, '', 'x')`.execute(app.database);

/** Each table with an insert of an old row and how it is used again. */
const tables = {
  idempotency_keys: {
    insert: sql`insert into idempotency_keys (scope, key, fingerprint, expires_at) values ('x', 'x', ${bytes}, ${old})`,
    use: sql`expires_at = ${now}::timestamptz + interval '1 day'`,
  },
  used_assertion_ids: {
    insert: sql`insert into used_assertion_ids (project_id, jti, expires_at) values (${project_id}, 'x', ${old})`,
    use: sql`expires_at = ${now}`,
  },
  failed_sign_ins: {
    insert: sql`insert into failed_sign_ins (key, failures, last_failed_at) values (${bytes}, 1, ${old})`,
    use: sql`last_failed_at = ${now}`,
  },
  oauth_approvals: {
    insert: sql`insert into oauth_approvals (project_id, browser_hash, client_id, redirect_uri, scopes, expires_at)
      values (${project_id}, ${bytes}, 'x', 'https://x', '{}', ${old})`,
    use: sql`expires_at = ${now}::timestamptz + interval '1 day'`,
  },
  deliveries: {
    insert: sql`insert into deliveries (id, project_id, webhook_id, event_id, event_type, status, created_at)
      values ('dlv_x', ${project_id}, 'wh_x', 'evt_x', 'x', 'failed', ${old})`,
    use: sql`status = 'pending'`,
  },
};

for (const [name, { insert, use }] of Object.entries(tables)) {
  const table = sql.table(name);
  const countRows = async () => (await sql`select from ${table}`.execute(app.database)).rows.length;

  test(`an old row of ${name} is deleted, unless it is used again at that moment`, async () => {
    await insert.execute(app.database);
    await removeOldRows(app);
    assert.equal(await countRows(), 0);
    await insert.execute(app.database);
    await app.database.transaction().execute(async (database) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(database);
      await sql`update ${table} set ${use}`.execute(database);
      // Does not wait for this transaction.
      await removeOldRows(app);
    });
    assert.equal(await countRows(), 1);
  });
}
