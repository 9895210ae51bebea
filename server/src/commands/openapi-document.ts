// The OpenAPI document of this version, as a running server serves it. Needs no database. The SDK and the command line are generated
// from it, and `npm run build` writes it; it is not kept in the repository, where each change of a route would repeat it.

import { createSecretKey, randomBytes } from 'node:crypto';
import { type App, createMemory } from '../app.ts';
import { createCache } from '../cache/cache.ts';
import { readConfig } from '../config/config.ts';
import { parseMasterKeys } from '../config/master-keys.ts';
import { createBatchWriter } from '../database/batch-writer.ts';
import { openDatabase, openPool } from '../database/connection.ts';
import { createGroupedCalls } from '../database/grouped-calls.ts';
import { createIntervalCounts } from '../database/interval-counts.ts';
import { createPermits } from '../database/permits.ts';
import { noChanges } from '../database/transact.ts';
import { createFailures } from '../limits/failures.ts';
import { createLocalLimits } from '../limits/local-limits.ts';
import { createLookupSlots } from '../limits/lookup-slots.ts';
import { createMinuteLimit } from '../limits/minute-limit.ts';
import { createPasswordChecks } from '../limits/password-checks.ts';
import { createLog } from '../log/log.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { createEgress } from '../outbound/egress.ts';
import { createTextLookup } from '../outbound/resolve-text.ts';
import { createSend } from '../outbound/send.ts';
import { createJobNotifier } from '../queue/job-notifier.ts';
import { buildServer } from '../routes.ts';
import { createSecrets } from '../secrets/encryption.ts';

export async function makeOpenApiDocument(): Promise<object> {
  const server = await buildServer(unconnectedApp());
  const document = await server.inject('/api/v1/openapi.json');
  await server.close();
  return document.json();
}

/** The pool connects at its first use, which generating the documents never causes. */
function unconnectedApp(): App {
  const config = readConfig({});
  const pool = openPool({}, { size: 1 });
  const log = createLog('silent');
  const { keys } = parseMasterKeys(`docs:${randomBytes(32).toString('base64')}`);
  const database = openDatabase(pool);
  const cache = createCache();
  const batch_writer = createBatchWriter(pool, log);
  const send = createSend({ allow: [] });
  return {
    config,
    ...createMemory([]),
    pool,
    database,
    permits: createPermits(),
    grouped_calls: createGroupedCalls(),
    background: { database, pool },
    job_notifier: createJobNotifier(async () => {}).job_notifier,
    request_origin: null,
    isUp: () => false,
    isRedisUp: null,
    now: () => 0,
    batch_writer,
    cache,
    changes: noChanges,
    afterChange: async () => {},
    limits: createLocalLimits(null),
    interval_counts: createIntervalCounts(batch_writer),
    failures: createFailures(),
    trace_limit: createMinuteLimit(1),
    lookups: createLookupSlots(),
    visits: createLookupSlots(),
    password_checks: createPasswordChecks(),
    secrets: createSecrets({ master_keys: keys, cache }),
    send,
    inspect: send.inspect,
    lookupText: createTextLookup(),
    egress: createEgress([], { setAllow() {} }),
    root_key_hash: randomBytes(32),
    audit_key: createSecretKey(Buffer.alloc(32)),
    metrics: createMetrics({
      pools: { requests: pool, background: pool },
      cache,
      batch_writer,
      readQueue: async () => [],
      isUp: () => false,
      isRedisUp: null,
      readClockOffset: () => 0,
    }),
    tracing: null,
    log,
  };
}
