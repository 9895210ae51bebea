// How a server reaches its database: your own PostgreSQL, or the embedded one, which is started here.

import type { Logger } from 'pino';
import type { Connection } from './connection.ts';
import { startEmbedded } from './embedded.ts';
import { type Connections, findPooler } from './transaction-pooler.ts';

/** From the settings. */
type Place = { database_url: string | null; direct_url: string | null; data_dir: string };

/** `given`: the embedded one, which another process has started. `undo`: what closes the app. */
export async function findConnections(
  { database_url, direct_url, data_dir }: Place,
  given: Connection | null,
  log: Pick<Logger, 'info'>,
  undo: (() => Promise<unknown>)[],
): Promise<Connections> {
  if (given !== null) return { connection: given, direct: given };
  if (database_url !== null && direct_url !== null) return findPooler(database_url, direct_url);
  const embedded = await startEmbedded({ data_dir, log: (line) => log.info(line) });
  undo.push(() => embedded.stop());
  return { connection: embedded.connection, direct: embedded.connection };
}
