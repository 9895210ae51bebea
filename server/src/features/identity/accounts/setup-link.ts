// The link with which the first owner is created. Only who reads the log or runs a command on the server has it: nobody owns an
// installation by being the first to open it.

import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { hashToken, randomSecret } from '../../../secrets/tokens.ts';
import { findFirstOrganization } from '../../projects/projects/find.ts';
import { insertLink } from './setup-store.ts';
import { hasOwner } from './store.ts';

const LIFETIME_MS = 30 * 60_000;

export async function isSetupNeeded(app: App): Promise<boolean> {
  return !(await hasOwner(app.database, await findFirstOrganization(app)));
}

/** Returns null once there is an owner. The token is in the fragment, which browsers send to no server and no proxy logs. */
export async function makeSetupLink(app: App): Promise<string | null> {
  if (!(await isSetupNeeded(app))) return null;
  const token = randomSecret(32);
  const now = app.now();
  const [created_at = '', expires_at = ''] = [now, now + LIFETIME_MS].map((time) => new Date(time).toISOString());
  await transact(app, ({ database }) => insertLink(database, { hash: hashToken(token), created_at, expires_at }));
  return `${app.config.public_url}/setup#token=${token}`;
}
