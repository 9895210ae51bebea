// Starts servers of this service for the table: on a copy of one prepared data folder, so that all of them have the same projects,
// keys and tools; or on an external PostgreSQL.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT_KEY } from '../api.ts';
import type { Customer } from '../customer.ts';
import { main, startChild } from '../processes.ts';
import type { Server } from './rounds.ts';
import type { Store } from './stores.ts';

const MASTER_KEYS = `bench:${Buffer.alloc(32, 1).toString('base64')}`;

export type Environment = { folder: string; customer: Customer };

type Options = {
  workers?: number;
  redis?: Store | null;
  /** Another script than the server, on the same data. */
  script?: string;
  flags?: string[];
  /** Of PostgreSQL, if the other URL leads to a pooler. */
  direct_url?: string;
};

function settings({ customer }: Environment, { workers = 1, redis, direct_url }: Options): Record<string, string> {
  return {
    NODE_EXTRA_CA_CERTS: customer.authority_file,
    TOOLGATE_EGRESS_ALLOW: customer.address,
    TOOLGATE_ROOT_KEY: ROOT_KEY,
    TOOLGATE_MASTER_KEYS: MASTER_KEYS,
    TOOLGATE_WORKERS: String(workers),
    ...(redis ? { REDIS_URL: redis.url } : {}),
    ...(direct_url === undefined ? {} : { DATABASE_DIRECT_URL: direct_url }),
  };
}

/** `from` is the data folder of a stopped server; `to` the name of its copy, or of a new folder. */
export async function startEmbeddedGateway(
  site: Environment,
  { from, to, ...options }: Options & { from?: string; to: string },
): Promise<Server & { data_dir: string }> {
  const data_dir = join(site.folder, to);
  if (from !== undefined) copyFolder(from, data_dir);
  const environment = { ...settings(site, options), TOOLGATE_DATA_DIR: data_dir };
  const child = await startChild(options.script ?? main, environment, options.flags);
  return { ...child, stores: options.redis ? [options.redis] : [], data_dir };
}

export async function startExternalGateway(site: Environment, postgres: Store, options: Options): Promise<Server> {
  const environment = { ...settings(site, options), DATABASE_URL: postgres.url, TOOLGATE_DATA_DIR: site.folder };
  const child = await startChild(main, environment, options.flags);
  return { ...child, stores: options.redis ? [postgres, options.redis] : [postgres] };
}

/** How often it had to load what its cache did not have. */
export async function readCacheMisses({ url }: Server): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${ROOT_KEY}` } });
  const [, misses] =
    /^toolgate_cache_lookups_total\{[^}]*result="miss"[^}]*\} (\d+)/m.exec(await response.text()) ?? [];
  if (misses === undefined) throw new Error('the metrics do not have the misses of the cache');
  return Number(misses);
}

/** With owners and modes: PostgreSQL refuses a cluster of another account. */
function copyFolder(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cp: ${stderr}`);
}

/** A server that is not of this service. */
export async function startPeer(
  { customer }: Environment,
  script: string,
  environment: Record<string, string> = {},
): Promise<Server> {
  const trust = { NODE_EXTRA_CA_CERTS: customer.authority_file, UPSTREAM: `${customer.origin}/orders` };
  const child = await startChild(join(import.meta.dirname, '../servers', script), { ...trust, ...environment });
  return { ...child, stores: [] };
}
