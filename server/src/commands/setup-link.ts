// npm run setup-link: prints a new link to create the first owner. Works while the server runs.

import { makeSetupLink } from '../features/accounts/setup-link.ts';
import { redactSecrets } from '../secret-patterns.ts';
import { withApp } from './open-app.ts';

/** Returns null once there is an owner. */
export function newSetupLink(): Promise<string | null> {
  return withApp(makeSetupLink);
}

async function run(): Promise<number> {
  const link = await newSetupLink();
  if (link === null) {
    process.stderr.write('there is an owner already; npm run owner -- reset gives one a new password\n');
    return 1;
  }
  process.stdout.write(`${link}\n`);
  return 0;
}

if (import.meta.main) {
  try {
    process.exitCode = await run();
  } catch (error) {
    process.stderr.write(`the link cannot be made: ${redactSecrets((error as Error).message)}\n`);
    process.exitCode = 1;
  }
}
