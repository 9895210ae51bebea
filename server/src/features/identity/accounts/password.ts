// Passwords: argon2id. A check costs 19 MiB and some 30 ms, so app.password_checks bounds
// how many run, and goes round the networks and accounts that wait.

import { hash, verify } from '@node-rs/argon2';
import { isCommonPassword, normalizePassword } from '@toolgate/contract/accounts/password.ts';
import type { App } from '../../../app.ts';
import { invalidField } from '../../../errors/errors.ts';
import { clientNetwork } from '../../../limits/client-network.ts';

/** OWASP's parameters: 19 MiB, two passes, one lane. The package's own default is argon2id with the same numbers. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** No password has this hash. It is checked for an unknown email address, so that the response takes as long as for a known one. */
export const DUMMY_HASH = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Whose turn it takes: that of the network of somebody unknown, or of the account of a person who is signed in. */
export type Turn = { ip: string } | { account_id: string };

const keyOf = (turn: Turn) => ('ip' in turn ? clientNetwork(turn.ip) : turn.account_id);

export async function hashPassword(app: App, turn: Turn, password: string): Promise<string> {
  return app.password_checks.run(keyOf(turn), () => hash(normalizePassword(password), PARAMETERS));
}

export async function verifyPassword(app: App, turn: Turn, password_hash: string, password: string): Promise<boolean> {
  return app.password_checks.run(keyOf(turn), () => verify(password_hash, normalizePassword(password)));
}

/** Refuses a password that is guessed at once. */
export function refuseCommonPassword(field: string, password: string, email: string): void {
  if (isCommonPassword(password, email))
    throw invalidField(field, 'is too easy to guess', { reason: 'password_too_common' });
}
