// npm run rewrap-keys: wraps every data key with the first master key of TOOLGATE_MASTER_KEYS, so that the old master key can be
// removed. Can run while servers run; if interrupted, the next run continues.

import { readConfig } from '../config/config.ts';
import { redactSecrets } from '../redaction/secret-patterns.ts';
import { rewrapKeys } from './rotate-master-key.ts';

async function run(): Promise<number> {
  // A master key that is wrong, or missing and still in use, is refused.
  const { rewrapped, unreadable } = await rewrapKeys(readConfig(), ({ done }) =>
    process.stdout.write(`${done} data keys moved\n`),
  );
  process.stdout.write(`done: ${rewrapped} data keys moved under the first master key\n`);
  if (unreadable.length === 0) return 0;
  process.stderr.write(`no loaded master key opens these; they stay as they are: ${unreadable.join(', ')}\n`);
  return 1;
}

try {
  process.exitCode = await run();
} catch (error) {
  process.stderr.write(`the keys cannot be re-wrapped: ${redactSecrets((error as Error).message)}\n`);
  process.exitCode = 1;
}
