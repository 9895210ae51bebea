// Which issuers a provider may have, and how they are spelled. The text is validated here, the resolved address at each request.

import type { OAuthProviderKind } from '@toolgate/contract/oauth-providers/rules.ts';
import type { App } from '../../../app.ts';
import { invalidField } from '../../../errors/errors.ts';
import { checkOrigin } from '../../../outbound/address-guard.ts';
import { GITHUB } from './github.ts';

const GOOGLE = 'https://accounts.google.com';

/** Returns the issuer to store: without the slash after a bare origin. */
export function resolveIssuer(app: App, provider: OAuthProviderKind, given: string | null): string {
  if (provider === 'google') {
    if (given !== null && normalize(given) !== GOOGLE) throw invalidIssuer(given, `must be left out or ${GOOGLE}`);
    return GOOGLE;
  }
  if (given === null) {
    if (provider === 'github') return GITHUB;
    throw invalidIssuer(given, 'is required for oidc');
  }
  const url = URL.parse(given);
  // The text must equal the parsed URL, so that the checked URL is the one that is called.
  const isPlain = url?.username === '' && url.password === '' && !/[?#]/.test(given);
  if (url?.protocol !== 'https:' || !isPlain || (url.href !== given && url.href !== `${given}/`))
    throw invalidIssuer(given, 'must be an HTTPS URL without user, query and fragment');
  if (provider === 'github' && url.pathname !== '/')
    throw invalidIssuer(given, 'must be the origin of a GitHub Enterprise Server');
  if ('problem' in checkOrigin(url.origin, app.egress.allowed()))
    throw invalidIssuer(given, 'must be an address on the public internet');
  return normalize(given);
}

const normalize = (issuer: string) => (URL.parse(issuer)?.pathname === '/' ? issuer.replace(/\/$/, '') : issuer);

function invalidIssuer(given: string | null, message: string) {
  return invalidField('issuer', message, given === null ? {} : { value: given.slice(0, 64) });
}
