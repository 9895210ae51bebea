// npm run owner -- create|reset --email EMAIL [--name NAME] [--organization NAME] [--password-file FILE]: creates an owner, or
// gives one a new password, without a second factor. Without a file the password is read from standard input. Works while the
// server runs.

import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { Account } from '../features/accounts/account.ts';
import { readPasswordFile } from '../features/accounts/first-run.ts';
import { createOwner, resetOwner } from '../features/accounts/owner.ts';
import { redactSecrets } from '../secret-patterns.ts';
import { withApp } from './open-app.ts';

export type NewOwner = {
  email: string;
  name?: string | undefined;
  organization?: string | undefined;
  password: string;
};

/** Of the first organization, unless `organization` names a new one. */
export function makeOwner({ email, name, organization, password }: NewOwner): Promise<Account> {
  const shown_name = name ?? (email.split('@')[0] as string);
  return withApp((app) => createOwner(app, { email, name: shown_name, organization, password }));
}

/** Its sessions end, its second factor is off, and its role is `owner`. */
export function giveOwnerPassword(input: { email: string; password: string }): Promise<Account> {
  return withApp((app) => resetOwner(app, input));
}

const USAGE =
  'usage: npm run owner -- create|reset --email EMAIL [--name NAME] [--organization NAME] [--password-file FILE]\n';

async function run(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      email: { type: 'string' },
      name: { type: 'string' },
      organization: { type: 'string' },
      'password-file': { type: 'string' },
    },
  });
  const [verb] = positionals;
  const { email, name, organization, 'password-file': file } = values;
  if (positionals.length !== 1 || email === undefined || (verb !== 'create' && verb !== 'reset')) {
    process.stderr.write(USAGE);
    return 2;
  }
  const password = file === undefined ? await readStandardInput() : await readPasswordFile(file);
  const account =
    verb === 'create'
      ? await makeOwner({ email, name, organization, password })
      : await giveOwnerPassword({ email, password });
  process.stdout.write(`${account.email} is an owner and signs in with the new password\n`);
  return 0;
}

async function readStandardInput(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Password, then Enter and Ctrl-D: ');
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}

if (import.meta.main) {
  try {
    process.exitCode = await run();
  } catch (error) {
    process.stderr.write(`the owner cannot be saved: ${redactSecrets((error as Error).message)}\n`);
    process.exitCode = 1;
  }
}
