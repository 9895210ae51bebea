// What the fields of a client must have in common: who authenticates how, and what each grant type needs.

import type { Jwks } from '@toolgate/contract/oauth-clients/jwks.ts';
import type { OAuthGrantType } from '@toolgate/contract/oauth-clients/rules.ts';
import type { App } from '../../../app.ts';
import { invalidField } from '../../../errors/errors.ts';
import { checkOrigin } from '../../../outbound/address-guard.ts';
import { keyProblem } from '../keys/key-set.ts';

export type ClientRules = {
  redirect_uris: readonly string[];
  is_public: boolean;
  grant_types: readonly OAuthGrantType[];
  jwks: Jwks | null;
  jwks_uri: string | null;
};

export function checkClient(app: App, client: ClientRules): void {
  const { redirect_uris, is_public, grant_types, jwks, jwks_uri } = client;
  if (redirect_uris.length === 0 && grant_types.includes('authorization_code'))
    throw invalidField('redirect_uris', 'must not be empty with the grant type authorization_code');
  if (is_public && grant_types.includes('client_credentials'))
    throw invalidField('grant_types', 'must not contain client_credentials: a public client cannot authenticate');
  if (is_public && (jwks !== null || jwks_uri !== null))
    throw invalidField(jwks === null ? 'jwks_uri' : 'jwks', 'must be null for a public client');
  if (jwks !== null && jwks_uri !== null) throw invalidField('jwks_uri', 'must be null if jwks is set');
  if (jwks !== null) checkKeys(jwks);
  if (jwks_uri !== null) checkAddress(app, jwks_uri);
}

function checkKeys({ keys }: Jwks): void {
  const kids = new Set<unknown>();
  for (const [at, jwk] of keys.entries()) {
    const problem = keyProblem(jwk);
    if (problem !== null) throw invalidField(`jwks.keys.${at}`, problem);
    if (jwk.kid !== undefined && kids.has(jwk.kid)) throw invalidField(`jwks.keys.${at}.kid`, 'is used twice');
    kids.add(jwk.kid);
  }
}

/** The resolved address is checked at each request. */
function checkAddress(app: App, given: string): void {
  const url = URL.parse(given);
  // The text must equal the parsed URL, so that the checked URL is the one that is called.
  const isPlain = url?.username === '' && url.password === '' && !given.includes('#');
  if (url?.protocol !== 'https:' || !isPlain || (url.href !== given && url.href !== `${given}/`))
    throw invalidField('jwks_uri', 'must be an HTTPS URL without user and fragment');
  if ('problem' in checkOrigin(url.origin, app.egress.allowed()))
    throw invalidField('jwks_uri', 'must be a public URL', { reason: 'address_not_public' });
}
