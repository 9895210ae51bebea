// npm run rebuild-rollups: makes the rollups of analytics equal to the call log, day by day, and prints what it corrected. Can run
// while servers run; if interrupted, the next run corrects the rest.

import { readConfig } from '../config.ts';
import { type Connection, openDatabase, openPool } from '../database/connection.ts';
import { findRunning, startEmbedded } from '../database/embedded.ts';
import { rebuildRollups } from '../features/analytics/rebuild-rollups.ts';
import { redactSecrets } from '../secret-patterns.ts';

type Opened = { connection: Connection; stop(): Promise<void> };

async function openConnection(database_url: string | null, data_dir: string): Promise<Opened> {
  if (database_url) return { connection: { connectionString: database_url }, stop: async () => {} };
  const running = await findRunning(data_dir);
  return running ? { connection: running, stop: async () => {} } : startEmbedded({ data_dir, log: () => {} });
}

async function run(): Promise<void> {
  const { database_url, data_dir, retention } = readConfig();
  const { connection, stop } = await openConnection(database_url, data_dir);
  const database = openDatabase(openPool(connection, { size: 1 }));
  try {
    let total = 0;
    const { call_log_days } = retention;
    await rebuildRollups({ database, call_log_days }, ({ day, projects, corrected }) => {
      total += corrected;
      process.stdout.write(`${day}: ${projects} projects, ${corrected} rollups corrected\n`);
    });
    process.stdout.write(`done: ${total} rollups corrected\n`);
  } finally {
    await database.destroy();
    await stop();
  }
}

try {
  await run();
} catch (error) {
  process.stderr.write(`the rollups cannot be rebuilt: ${redactSecrets((error as Error).message)}\n`);
  process.exitCode = 1;
}
