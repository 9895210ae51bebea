// What happens at the start while there is no owner: one is created from the settings, or a link to create one is made.

import { readFile } from 'node:fs/promises';
import type { App } from '../../../app.ts';
import { createOwner } from './owner.ts';
import { isSetupNeeded, makeSetupLink } from './setup-link.ts';

/** Returns the link to print, or null if there is an owner. */
export async function openFirstRun(app: App): Promise<string | null> {
  const { owner } = app.config;
  if (owner === null) return makeSetupLink(app);
  if (!(await isSetupNeeded(app))) return null;
  const password = await readPasswordFile(owner.password_file);
  await createOwner(app, { email: owner.email, name: owner.email.split('@')[0] as string, password });
  app.log.info({ email: owner.email }, 'the first owner was created from TOOLGATE_OWNER_EMAIL');
  return null;
}

/** Without the line break that editors add. */
async function readPasswordFile(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).replace(/\r?\n$/, '');
  } catch (error) {
    throw new Error(`the password file cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
