// npm run verify-audit [-- [postgres://…] [--expect-head HEAD]…], toolgate audit verify: verifies every chain of the audit log and
// prints the first broken link. Reads only; needs the master keys. Works while a server runs and while none does.
// HEAD is from an earlier run, the log or /readyz: `organization:seq:hash`, `seq:hash` or the hash.

import { parseArgs } from 'node:util';
import { createCache } from '../cache/cache.ts';
import { type Config, readConfig } from '../config/config.ts';
import type { MasterKey } from '../config/master-keys.ts';
import { type ChainReport, type ExpectedHead, verifyAudit } from '../features/activity/audit/verify.ts';
import { createSecrets } from '../secrets/encryption.ts';
import { findMasterKeys, openStore, type Store } from './open-store.ts';

export type AuditResult = {
  /** Every chain is unbroken and has the expected heads. */
  is_intact: boolean;
  chains: ChainReport[];
};

export async function verifyAuditLog(config: Config, expected: ExpectedHead[] = []): Promise<AuditResult> {
  const store = await openStore(config);
  try {
    return await verifyAuditOf(store, await findMasterKeys(config), expected);
  } finally {
    await store.close();
  }
}

export async function verifyAuditOf(
  { database }: Store,
  master_keys: MasterKey[],
  expected: ExpectedHead[] = [],
): Promise<AuditResult> {
  const secrets = createSecrets({ master_keys, cache: createCache() });
  const audit_key = await secrets.findAuditKey(database);
  if (!audit_key)
    throw new Error('it has no key yet, or the key was removed; the server creates one at its first start');
  const chains = await verifyAudit(database, { audit_key, secrets }, expected);
  const is_intact = chains.every(({ broken }) => broken === null) && (chains.length > 0 || expected.length === 0);
  return { is_intact, chains };
}

export function parseHead(text: string): ExpectedHead {
  const [, organization_id, seq, hash] = /^(?:(?:(org_\w+)[: ])?(\d+)[: ])?([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  if (hash === undefined) throw new Error(`--expect-head ${text} is not organization:seq:hash, seq:hash or a hash`);
  return { organization_id: organization_id ?? null, seq: seq === undefined ? null : Number(seq), hash };
}

/** One line for each chain. */
export function describeAudit({ chains }: AuditResult): string[] {
  return chains.length === 0 ? ['the audit log is empty'] : chains.map(describe);
}

function describe({ organization_id, verified, head, unbound, broken }: ChainReport): string {
  if (!broken) {
    const verifiedPart =
      head.seq > 0 ? [`${verified} entries are valid; the chain ends at ${head.seq} ${head.hash}`] : [];
    const unboundPart = unbound > 0 ? [`${unbound} ${unbound === 1 ? 'entry' : 'entries'} not linked yet`] : [];
    return `${organization_id}: ${[...verifiedPart, ...unboundPart].join('; ') || 'no entries'}`;
  }
  const entry = broken.id ? `entry ${broken.seq} (${broken.id})` : `entry ${broken.seq}`;
  return `${organization_id}: BROKEN at ${entry}: ${broken.reason}; ${verified} entries before it are valid`;
}

async function run(): Promise<boolean> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'expect-head': { type: 'string', multiple: true, default: [] } },
  });
  const config = readConfig();
  const [url] = positionals;
  const given = url === undefined ? config : { ...config, database_url: url, direct_url: url };
  const result = await verifyAuditLog(given, values['expect-head'].map(parseHead));
  for (const line of describeAudit(result)) process.stdout.write(`${line}\n`);
  return result.is_intact;
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
