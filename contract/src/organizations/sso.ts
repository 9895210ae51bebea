// Single sign-on of an organization: where its people sign in, for which email domains, and with which roles. The client secret is
// never returned.

import { z } from 'zod';
import { email, role } from '../accounts/account.ts';
import { givenPassword } from '../accounts/password.ts';
import { signIn } from '../accounts/sign-in.ts';
import { limitedText, text, timestamp } from '../fields.ts';
import { clientId, clientSecret } from '../oauth-providers/oauth-provider.ts';
import { MAX_ROLE_MAP_ENTRIES, MAX_SSO_DOMAINS, normalizeDomain } from './sso-rules.ts';

const issuer = limitedText(2048).meta({
  description: 'The issuer of the OpenID provider, whose discovery document is read',
  example: 'https://login.example.com',
});
const client_id = clientId.meta({ description: 'Client id of this server at the provider' });
const domain = limitedText(253)
  .transform(normalizeDomain)
  .refine((domain) => domain !== null, 'must be a domain name such as example.com')
  .meta({ example: 'example.com', override: { type: 'string', maxLength: 253 } });
const domains = z
  .array(domain)
  .min(1)
  .max(MAX_SSO_DOMAINS, { abort: true })
  .refine((list) => new Set(list).size === list.length, 'must not name a domain twice')
  .meta({
    description:
      'The email domains of the people, stored in lower case and international ones in ASCII. A domain belongs to one organization. Owners of the first organization set any; others prove each one with a DNS TXT record: `toolgate-organization=<id of the organization>` at `_toolgate.<domain>`',
    example: ['example.com'],
  });
const role_claim = text(1, 256).meta({
  description: 'The claim of the ID token that `role_map` is applied to: a text or a list of texts',
  example: 'groups',
});
const role_map = z
  .record(text(1, 256), role)
  .refine((map) => Object.keys(map).length <= MAX_ROLE_MAP_ENTRIES, `at most ${MAX_ROLE_MAP_ENTRIES} entries`)
  .meta({
    description: 'The role for each value of the claim. If a person has several values, the highest role wins',
    example: { engineering: 'developer', platform: 'admin' },
  });
const default_role = role
  .nullable()
  .meta({ description: 'The role of a person whom `role_map` gives none; null: such a person is refused' });
const is_required = z.boolean().meta({
  description:
    'Passwords work only for owners with `is_break_glass`. The other sessions that were made with a password end when this becomes true',
});

export const organizationSso = z
  .strictObject({
    object: z.literal('organization_sso'),
    issuer,
    client_id,
    domains: z.array(z.string()).meta({ description: 'The email domains of the people', example: ['example.com'] }),
    role_claim,
    role_map,
    default_role,
    is_required,
    callback_url: z.string().meta({
      description: 'Register this redirect URI at the provider',
      example: 'https://tools.example.com/api/v1/account/sso/callback/org_2bYq6cWnXv9mKd1ZtR4yLs',
    }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'OrganizationSso' });

export type OrganizationSso = z.infer<typeof organizationSso>;

const client_secret = clientSecret.meta({
  description: 'Stored sealed, never returned. Left out it stays, as long as `issuer` is the same',
});

export const organizationSsoInput = z
  .strictObject({
    issuer,
    client_id,
    client_secret: client_secret.optional(),
    domains,
    role_claim: role_claim.default('groups'),
    role_map: role_map.default({}),
    default_role: default_role.default(null),
    is_required: is_required.default(false),
  })
  .meta({ id: 'OrganizationSsoInput' });

export type OrganizationSsoInput = z.infer<typeof organizationSsoInput>;

/** What is left out is taken from the settings that are saved. */
export const ssoTestInput = z
  .strictObject({ issuer, client_id, client_secret, domains, role_claim, role_map, default_role, is_required })
  .partial()
  .meta({ id: 'SsoTestInput' });

export type SsoTestInput = z.infer<typeof ssoTestInput>;

/** For a person whose account has a password: both are proven, then the account belongs to the provider's person. */
export const ssoLink = z
  .strictObject({
    password: givenPassword.meta({ description: 'The password of the account with the same email address' }),
    code: signIn.shape.code,
    recovery_code: signIn.shape.recovery_code,
  })
  .meta({ id: 'SsoLink' });

export type SsoLink = z.infer<typeof ssoLink>;

export const ssoStart = z.strictObject({ email });

const ofProvider = (what: string) =>
  z
    .string()
    .max(2_048)
    .optional()
    .meta({ description: `${what}; identity providers may add it to the link of a tile. Not used` });

/** OpenID Connect Core 4: what an identity provider adds to the address that it opens. */
export const ssoLinkFromProvider = ssoStart.extend({
  iss: ofProvider('The issuer'),
  login_hint: ofProvider('Who is expected to sign in'),
  target_link_uri: ofProvider('Where to go afterwards'),
});
