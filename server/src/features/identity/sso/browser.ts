// The cookie that ties a sign-in to one browser: 256 random bits, of which only the SHA-256 is stored. Without it the response of a
// provider is worth nothing: nobody can be signed in to an account of somebody else by a link.

import { makeCookie, readCookie } from '../../../api/cookies.ts';
import type { App } from '../../../app.ts';
import { randomSecret } from '../../../secrets/tokens.ts';
import type { Browser } from '../accounts/session.ts';

const NAME = 'toolgate_sso';
export const REQUEST_MS = 10 * 60_000;

/** `secret`: of the cookie. */
export type Visitor = Browser & { secret: string };

export const readSecret = ({ config }: App, cookies: string | undefined) =>
  readCookie(config.public_url, NAME, cookies);

export const newSecret = () => randomSecret(32);

/** Lax: the browser comes back from the provider by a link of another site. */
export const secretCookie = ({ config }: App, secret: string) =>
  makeCookie(config.public_url, NAME, secret, REQUEST_MS / 1000);
