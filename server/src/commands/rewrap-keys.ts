// npm run rewrap-keys: wraps every data key with the first master key of TOOLGATE_MASTER_KEYS, so that the old master key can be
// removed. Can run while servers run; if interrupted, the next run continues.

import { readConfig } from '../config/config.ts';
import { redactSecrets } from '../redaction/secret-patterns.ts';
import { rewrapKeys } from './rotate-master-key.ts';

async function run(): Promise<number> {
  // A master key that is wrong, or missing and still in use, is refused.
  const { rewrapped, unreadable } = await rewrapKeys(readConfig(), ({ done }) =>
    process.stdout.write(`${done} data keys rewrapped\n`),
  );
  process.stdout.write(`done: ${rewrapped} data keys rewrapped with the first master key\n`);
  if (unreadable.length === 0) return 0;
  process.stderr.write(
    `no loaded master key can decrypt these data keys; they stay unchanged: ${unreadable.join(', ')}\n`,
  );
  return 1;
}

try {
  process.exitCode = await run();
} catch (error) {
  process.stderr.write(`the keys cannot be rewrapped: ${redactSecrets((error as Error).message)}\n`);
  process.exitCode = 1;
}
