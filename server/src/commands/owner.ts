// What toolgate owner create|reset and setup-link do. They work while the server runs.

import type { Account } from '@toolgate/contract/accounts/account.ts';
import type { Config } from '../config/config.ts';
import { createOwner, resetOwner } from '../features/identity/accounts/owner.ts';
import { makeSetupLink } from '../features/identity/accounts/setup-link.ts';
import { withApp } from './open-app.ts';

export type NewOwner = {
  email: string;
  name?: string | undefined;
  organization?: string | undefined;
  password: string;
};

/** Of the first organization, unless `organization` names a new one. */
export function makeOwner(config: Config, { email, name, organization, password }: NewOwner): Promise<Account> {
  const shown_name = name ?? (email.split('@')[0] as string);
  return withApp(config, (app) => createOwner(app, { email, name: shown_name, organization, password }));
}

/** Its sessions end, its second factor is off, and its role is `owner`. */
export function giveOwnerPassword(config: Config, input: { email: string; password: string }): Promise<Account> {
  return withApp(config, (app) => resetOwner(app, input));
}

/** Returns null once there is an owner. */
export function newSetupLink(config: Config): Promise<string | null> {
  return withApp(config, makeSetupLink);
}
