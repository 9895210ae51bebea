// npm run rewrap-keys: wraps every data key with the first master key of TOOLGATE_MASTER_KEYS, so that the old master key can be
// removed. Can run while servers run; if interrupted, the next run continues.

import { openApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { eventCatalogue } from '../event-catalogue.ts';
import { createLog } from '../log.ts';
import { redactSecrets } from '../secret-patterns.ts';

async function rewrapKeys(): Promise<number> {
  const config = readConfig();
  // Opening refuses a master key that is wrong, or missing and still in use.
  const { app, close } = await openApp(config, createLog('warn'), { event_catalogue: eventCatalogue });
  try {
    const { rewrapped, unreadable } = await app.secrets.rewrapDataKeys(app.database, ({ rewrapped }) =>
      process.stdout.write(`${rewrapped} data keys moved\n`),
    );
    process.stdout.write(`done: ${rewrapped} data keys moved under the first master key\n`);
    if (unreadable.length === 0) return 0;
    process.stderr.write(`no loaded master key opens these; they stay as they are: ${unreadable.join(', ')}\n`);
    return 1;
  } finally {
    await close();
  }
}

try {
  process.exitCode = await rewrapKeys();
} catch (error) {
  process.stderr.write(`the keys cannot be re-wrapped: ${redactSecrets((error as Error).message)}\n`);
  process.exitCode = 1;
}
