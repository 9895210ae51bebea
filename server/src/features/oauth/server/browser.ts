// The cookie that ties a sign-in to one browser: 256 random bits, of which only the SHA-256 is stored.

import { makeCookie, readCookie } from '../../../api/cookies.ts';
import { hashToken, randomSecret } from '../../../secrets/tokens.ts';

const NAME = 'toolgate_browser';
const MAX_AGE_SECONDS = 90 * 86_400;

/** Who opened a page: the secret of its cookie, where it came from, and the cookie of member-proof.ts. */
export type Visitor = { browser: string; ip: string; member_proof?: string | null };

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
