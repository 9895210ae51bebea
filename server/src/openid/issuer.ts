// Which text may be the issuer of a provider, and how it is stored. The resolved address is validated at each request.

import { checkOrigin } from '../outbound/address-guard.ts';
import type { AllowList } from '../outbound/allow-list.ts';

/** Returns the issuer to store, or what is wrong with it. */
export function checkIssuer(given: string, allow: AllowList): { issuer: string } | { problem: string } {
  const url = URL.parse(given);
  // The text must equal the parsed URL, so that the checked URL is the one that is called.
  const isPlain = url?.username === '' && url.password === '' && !/[?#]/.test(given);
  if (url?.protocol !== 'https:' || !isPlain || (url.href !== given && url.href !== `${given}/`))
    return { problem: 'must be an HTTPS URL without user, query and fragment' };
  if ('problem' in checkOrigin(url.origin, allow)) return { problem: 'must be a public URL' };
  return { issuer: normalizeIssuer(given) };
}

/** Without the slash after a bare origin. */
export const normalizeIssuer = (issuer: string) =>
  URL.parse(issuer)?.pathname === '/' ? issuer.replace(/\/$/, '') : issuer;
