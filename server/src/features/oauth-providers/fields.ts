// The fields of a provider in a request.

import { z } from 'zod';
import { permissions as permissionNames } from '../../access/permissions.ts';
import { limitedText } from '../../api/fields.ts';
import { isId } from '../../database/ids.ts';
import type { ProviderKind } from './provider.ts';

/** Spaces separate scopes, and a credential is sent in a header or form: visible ASCII. */
const visible = (most: number) => limitedText(most).regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters');
const noneTwice = (values: string[]) => new Set(values).size === values.length;

/** Chosen by the caller, so that the callback URL is known before the app is registered at the provider. */
export const id = z
  .string()
  .refine((text) => isId('oap', text), 'must be oap_ and 22 letters and digits')
  .meta({
    description:
      'Leave it out, or choose it: `oap_` and 22 random letters and digits. It is the end of the `callback_url`, which some providers want before they give a client_id',
    example: 'oap_6tRx1nZcQm4vWk8YbF3sHd',
  });
export const issuer = limitedText(2048).nullable().meta({
  description:
    'oidc: the issuer, whose discovery document is read. github: the origin of a GitHub Enterprise Server, else left out',
  example: 'https://login.example.com',
});
export const client_id = visible(1024).meta({ description: 'Of your app at the provider' });
export const client_secret = limitedText(4096)
  .regex(/^[\x20-\x7e]+$/, 'must be ASCII characters')
  .meta({ description: 'Of your app at the provider. Stored sealed, never returned' });
export const scopes = z
  .array(visible(256).regex(/^[^"\\]*$/, 'must not contain " or \\')) // RFC 6749 appendix A.4
  .max(50, { abort: true })
  .refine(noneTwice, 'must not name a scope twice')
  .meta({
    description: 'Requested at every sign-in; `openid` is added where it is needed',
    example: ['openid', 'email'],
  });
export const permissions = z
  .array(z.enum(permissionNames))
  .max(permissionNames.length, { abort: true })
  .refine(noneTwice, 'must not name a permission twice')
  .meta({
    description:
      'The most that a person who signs in here can be granted on the management API. Not more than the caller has itself',
    example: ['read'],
  });
export const is_enabled = z.boolean().meta({ description: 'Nobody can sign in at one that is not enabled' });

const openid = ['openid', 'email', 'profile'];
/** The least that shows who signed in, and the verified email. */
export const defaultScopes: Record<ProviderKind, string[]> = {
  google: openid,
  oidc: openid,
  github: ['read:user', 'user:email'],
};
