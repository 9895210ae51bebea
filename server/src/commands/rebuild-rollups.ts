// npm run rebuild-rollups: makes the rollups of analytics equal to the call log, day by day, and prints what it corrected. Can run
// while servers run; if interrupted, the next run corrects the rest.

import { readConfig } from '../config/config.ts';
import { rebuildRollups } from '../features/activity/analytics/rebuild-rollups.ts';
import { redactSecrets } from '../redaction/secret-patterns.ts';
import { openStore } from './open-store.ts';

async function run(): Promise<void> {
  const config = readConfig();
  const { database, close } = await openStore(config);
  try {
    let total = 0;
    const { call_log_days } = config.retention;
    await rebuildRollups({ database, call_log_days }, ({ day, projects, corrected }) => {
      total += corrected;
      process.stdout.write(`${day}: ${projects} projects, ${corrected} rollups corrected\n`);
    });
    process.stdout.write(`done: ${total} rollups corrected\n`);
  } finally {
    await close();
  }
}

try {
  await run();
} catch (error) {
  process.stderr.write(`the rollups cannot be rebuilt: ${redactSecrets((error as Error).message)}\n`);
  process.exitCode = 1;
}
