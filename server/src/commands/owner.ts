// What toolgate owner create|reset and setup-link do. They work while the server runs.

import type { Account } from '@toolgate/contract/accounts/account.ts';
import type { App } from '../app.ts';
import type { Config } from '../config/config.ts';
import { createOwner, resetOwner } from '../features/identity/accounts/owner.ts';
import { makeSetupLink } from '../features/identity/accounts/setup-link.ts';
import { allowPasswords } from '../features/identity/sso/settings.ts';
import { withApp } from './open-app.ts';

export type NewOwner = {
  email: string;
  name?: string | undefined;
  organization?: string | undefined;
  password: string;
};

/** For the first organization, unless `organization` names a new one. */
export function makeOwner(config: Config, { email, name, organization, password }: NewOwner): Promise<Account> {
  const shown_name = name ?? (email.split('@')[0] as string);
  return withApp(config, (app) =>
    withPassword(app, () => createOwner(app, { email, name: shown_name, organization, password })),
  );
}

/** Its sessions end, its second factor is off, and its role is `owner`. */
export function giveOwnerPassword(config: Config, input: { email: string; password: string }): Promise<Account> {
  return withApp(config, (app) => withPassword(app, () => resetOwner(app, input)));
}

/** The password works: if the organization required single sign-on, it no longer does. */
async function withPassword(app: App, make: () => Promise<Account>): Promise<Account> {
  const account = await make();
  await allowPasswords(app, account.id);
  return account;
}

/** Returns null once there is an owner. */
export function newSetupLink(config: Config): Promise<string | null> {
  return withApp(config, makeSetupLink);
}
