// The database of the settings, for commands: your own PostgreSQL, or the embedded one, whether a server runs on it or not.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import type { MasterKey } from '../config/master-keys.ts';
import { type Connection, connectClient, openDatabase, openPool, refuseUnreachable } from '../database/connection.ts';
import { findRunning, startEmbedded } from '../database/embedded.ts';
import type { Database } from '../database/tables.ts';
import { reachDirect } from '../database/transaction-pooler.ts';
import { loadOrMakeMasterKeys } from '../secrets/master-keys.ts';

export type Store = {
  connection: Connection;
  database: Database;
  close(): Promise<void>;
};

type StoreConfig = Pick<Config, 'database_url' | 'direct_url' | 'data_dir'>;

type Access = {
  /** No server may use the embedded database at the same time. */
  is_exclusive?: boolean;
  /** The embedded database is created if it does not exist. */
  may_create?: boolean;
};

export async function openStore(config: StoreConfig, access: Access = {}): Promise<Store> {
  const { connection, stop } = await connectionOf(config, access);
  const database = openDatabase(openPool(connection, { size: 2 }));
  return {
    connection,
    database,
    async close() {
      try {
        await database.destroy();
      } finally {
        await stop();
      }
    },
  };
}

async function connectionOf({ direct_url, data_dir }: StoreConfig, { is_exclusive, may_create }: Access) {
  // Commands use locks of a session.
  if (direct_url) return { connection: await reachDirect(direct_url), stop: async () => {} };
  if (!may_create && !hasEmbeddedStore(data_dir)) {
    throw new Error(
      `there is no database in ${data_dir}: set TOOLGATE_DATA_DIR or DATABASE_URL as you do for the server`,
    );
  }
  const running = is_exclusive ? undefined : await findRunning(data_dir);
  return running ? { connection: running, stop: async () => {} } : startEmbedded({ data_dir, log: () => {} });
}

export const hasEmbeddedStore = (data_dir: string) => existsSync(join(data_dir, 'postgres', 'PG_VERSION'));

/** Runs `work` on one connection, which is closed afterwards. */
export async function withClient<T>(connection: Connection, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectClient(connection).catch(refuseUnreachable);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Those of the settings; of the embedded database else those of master.key. */
export async function findMasterKeys({ master_keys, database_url, data_dir }: Config): Promise<MasterKey[]> {
  if (master_keys.length > 0) return master_keys;
  if (database_url === null) return loadOrMakeMasterKeys(data_dir);
  throw new Error('set TOOLGATE_MASTER_KEYS as you do for the server');
}
