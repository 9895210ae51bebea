// A process that is killed in the middle of an upload: nothing of it can be read, and nothing of it counts when its lease has passed.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { after, test } from 'node:test';
import { openPool } from '../../src/database/connection.ts';
import { copyTemplate } from '../support/database/test-database.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { s3Credentials, startS3Store } from '../support/peers/s3-store.ts';
import { writeAuthorityFile } from '../support/peers/write-authority-file.ts';
import { startProcess } from '../support/servers/start-process.ts';
import { MASTER_KEY, ROOT_KEY } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const { url: DATABASE_URL, drop } = await copyTemplate();
after(drop);
const pool = openPool({ connectionString: DATABASE_URL }, { size: 2, connect_timeout_ms: 60_000 });
after(() => pool.end());
const s3 = await startS3Store();
after(() => s3.close());

const base = { DATABASE_URL, TOOLGATE_ROOT_KEY: ROOT_KEY, TOOLGATE_MASTER_KEYS: MASTER_KEY };
const storages: Record<string, Record<string, string>> = {
  'the database': {},
  'an S3-compatible store': {
    NODE_EXTRA_CA_CERTS: writeAuthorityFile(),
    TOOLGATE_EGRESS_ALLOW: '127.0.0.1',
    TOOLGATE_FILES_S3_ENDPOINT: s3.url,
    TOOLGATE_FILES_S3_BUCKET: 'files',
    TOOLGATE_FILES_S3_REGION: 'eu-central-1',
    TOOLGATE_FILES_S3_ACCESS_KEY_ID: s3Credentials.access_key_id,
    TOOLGATE_FILES_S3_SECRET_ACCESS_KEY: s3Credentials.secret_access_key,
  },
};

const count = async (from: string) =>
  Number((await pool.query<{ count: string }>(`select count(*) from ${from}`)).rows[0]?.count);

/** As if some minutes had passed. */
async function passLease(): Promise<void> {
  await pool.query(`update files set expires_at = expires_at - interval '10 minutes'`);
  await pool.query(`update deleted_file_objects set try_at = try_at - interval '10 minutes'`);
  await pool.query(
    `update jobs set run_at = clock_timestamp() where subject in ('old rows', 'objects of deleted files')`,
  );
}

for (const [storage, settings] of Object.entries(storages))
  test(`in ${storage}, an upload whose process was killed is no file, and is removed with its bytes`, async () => {
    const killed = await startProcess({ ...base, ...settings });
    const { id, keys } = await makeTenant(killed);
    const sending = request(`${killed.url}/api/v1/projects/${id}/files?name=half.bin`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.read}`, 'content-type': 'application/pdf', 'content-length': 900_000 },
    });
    const broken = new Promise((resolve) => sending.on('error', resolve).on('response', resolve));
    sending.write(randomBytes(700_000));
    const isHalf = async () =>
      (await count('files where parts = 2')) === 1 && (await count('file_parts')) + s3.objects.size === 2;
    await waitUntil(isHalf, 60_000, 'two parts are written');
    await killed.stop('SIGKILL');
    assert.ok((await broken) instanceof Error, 'it was not acknowledged');

    const server = await startProcess({ ...base, ...settings });
    after(() => server.stop());
    const { rows } = await pool.query<{ id: string }>('select id from files');
    const path = `/projects/${id}/files/${rows[0]?.id}`;
    for (const key of [keys.read, keys.admin])
      for (const part of ['', '/content']) expectResponse(await server.api('GET', path + part, { key }), 404);
    assert.equal(await count('file_usage where bytes >= 500000'), 1, 'its bytes still count');
    const isRemoved = async () => {
      await passLease();
      const tables = ['files', 'file_parts', 'file_usage', 'deleted_file_objects'];
      const left = await Promise.all(tables.map(count));
      return left.every((rows) => rows === 0) && s3.objects.size === 0;
    };
    await waitUntil(isRemoved, 60_000, 'nothing of it is left');
    await server.stop();
  });
