// npm run verify-audit [-- [postgres://…] [--expect-head HEAD]…]: verifies every chain of the audit log and prints the first
// broken link. Reads only; needs the master keys but no running server. With the embedded store the server must be stopped.
// HEAD is from an earlier run, the log or /readyz: `organization:seq:hash`, `seq:hash` or the hash.

import { parseArgs } from 'node:util';
import { createCache } from '../cache/cache.ts';
import { type Config, readConfig } from '../config.ts';
import { openDatabase, openPool } from '../database/connection.ts';
import { startEmbedded } from '../database/embedded.ts';
import { type ChainReport, type ExpectedHead, verifyAudit } from '../features/audit/verify.ts';
import { createSecrets } from '../secrets/encryption.ts';
import { loadOrMakeMasterKey, type MasterKey } from '../secrets/master-keys.ts';

async function run(): Promise<boolean> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'expect-head': { type: 'string', multiple: true, default: [] } },
  });
  const expected = values['expect-head'].map(parseHead);
  const config = readConfig();
  const database_url = positionals[0] ?? config.database_url;
  const { connection, stop } = database_url
    ? { connection: { connectionString: database_url }, stop: async () => {} }
    : await startEmbedded({ data_dir: config.data_dir, log: () => {} });
  const database = openDatabase(openPool(connection, { size: 1 }));
  try {
    const secrets = createSecrets({
      master_keys: await findMasterKeys(config, database_url === null),
      cache: createCache(),
    });
    const audit_key = await secrets.findAuditKey(database);
    if (!audit_key)
      throw new Error('it has no key yet, or the key was removed; the server makes one at its first start');
    const reports = await verifyAudit(database, { audit_key, secrets }, expected);
    for (const report of reports) process.stdout.write(`${describe(report)}\n`);
    if (reports.length === 0) process.stdout.write('the audit log is empty\n');
    return reports.every(({ broken }) => broken === null) && (reports.length > 0 || expected.length === 0);
  } finally {
    await database.destroy();
    await stop();
  }
}

async function findMasterKeys({ master_keys, data_dir }: Config, isEmbedded: boolean): Promise<MasterKey[]> {
  if (master_keys.length > 0) return master_keys;
  if (isEmbedded) return [await loadOrMakeMasterKey(data_dir)];
  throw new Error('TOOLGATE_MASTER_KEYS must be set as for the server');
}

function parseHead(text: string): ExpectedHead {
  const [, organization_id, seq, hash] = /^(?:(?:(org_\w+)[: ])?(\d+)[: ])?([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  if (hash === undefined) throw new Error(`--expect-head ${text} is not organization:seq:hash, seq:hash or a hash`);
  return { organization_id: organization_id ?? null, seq: seq === undefined ? null : Number(seq), hash };
}

function describe({ organization_id, verified, head, unbound, broken }: ChainReport): string {
  if (!broken) {
    const verifiedPart = head.seq > 0 ? [`${verified} entries hold; the chain ends at ${head.seq} ${head.hash}`] : [];
    const unboundPart = unbound > 0 ? [`${unbound} ${unbound === 1 ? 'entry' : 'entries'} not bound yet`] : [];
    return `${organization_id}: ${[...verifiedPart, ...unboundPart].join('; ') || 'no entries'}`;
  }
  const entry = broken.id ? `entry ${broken.seq} (${broken.id})` : `entry ${broken.seq}`;
  return `${organization_id}: BROKEN at ${entry}: ${broken.reason}; ${verified} entries before it hold`;
}

if (import.meta.main) {
  run().then(
    (isIntact) => {
      process.exitCode = isIntact ? 0 : 1;
    },
    (error: Error) => {
      process.stderr.write(`the audit log could not be checked: ${error.message}\n`);
      process.exitCode = 2;
    },
  );
}
