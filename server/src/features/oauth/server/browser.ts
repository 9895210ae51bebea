// The cookie that ties a sign-in to one browser: 256 random bits, of which only the SHA-256 is stored.

import { hash } from 'node:crypto';
import { makeCookie, readCookie } from '../../../api/cookies.ts';
import { hashToken, randomSecret } from '../../../secrets/tokens.ts';

const NAME = 'toolgate_browser';
const MAX_AGE_SECONDS = 90 * 86_400;

/** Who opened a page: the secret of its cookie, and where it came from. */
export type Visitor = { browser: string; ip: string };

export const makeBrowser = () => randomSecret(32);

export const browserHash = ({ browser }: Visitor) => hashToken(browser);

/** Returns null without a valid cookie. */
export function readBrowser(public_url: string, cookies: string | undefined): string | null {
  return readCookie(public_url, NAME, cookies);
}

/** Lax: the browser comes back from the provider by a link of another site. */
export function browserCookie(public_url: string, secret: string): string {
  return makeCookie(public_url, NAME, secret, MAX_AGE_SECONDS);
}

/**
 * The nonce and the PKCE verifier of a sign-in at a provider. They follow from the cookie and the state, so neither is stored,
 * and neither the database nor a leaked URL is enough to know them.
 */
export function signInSecrets(
  { browser }: Visitor,
  state: string,
): { state: string; nonce: string; code_verifier: string } {
  const derive = (use: string) => hash('sha256', `${use} ${browser} ${state}`, 'base64url');
  return { state, nonce: derive('nonce'), code_verifier: derive('code_verifier') };
}
