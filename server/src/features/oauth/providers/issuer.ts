// Which issuers a provider may have, and how they are spelled. The text is validated here, the resolved address at each request.

import type { OAuthProviderKind } from '@toolgate/contract/oauth-providers/rules.ts';
import type { App } from '../../../app.ts';
import { invalidField } from '../../../errors/errors.ts';
import { checkIssuer, normalizeIssuer } from '../../../openid/issuer.ts';
import { GITHUB } from './github.ts';

const GOOGLE = 'https://accounts.google.com';

/** Returns the issuer to store: without the slash after a bare origin. */
export function resolveIssuer(app: App, provider: OAuthProviderKind, given: string | null): string {
  if (provider === 'google') {
    if (given !== null && normalizeIssuer(given) !== GOOGLE)
      throw invalidIssuer(given, `must be left out or ${GOOGLE}`);
    return GOOGLE;
  }
  if (given === null) {
    if (provider === 'github') return GITHUB;
    throw invalidIssuer(given, 'is required for oidc');
  }
  if (provider === 'github' && (URL.parse(given)?.pathname ?? '/') !== '/')
    throw invalidIssuer(given, 'must be the origin of a GitHub Enterprise Server');
  const checked = checkIssuer(given, app.egress.allowed());
  if ('problem' in checked) throw invalidIssuer(given, checked.problem);
  return checked.issuer;
}

function invalidIssuer(given: string | null, message: string) {
  return invalidField('issuer', message, given === null ? {} : { value: given.slice(0, 64) });
}
