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
  description: "The OpenID provider's issuer, whose discovery document is read",
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
  .refine((list) => new Set(list).size === list.length, 'must not list a domain twice')
  .meta({
    description:
      "People's email domains, stored in lowercase, with international names in ASCII. Each domain belongs to one organization. Owners of the operator's organization can set any domain; others prove each one with a DNS TXT record: `toolgate-organization=<organization id>` at `_toolgate.<domain>`",
    example: ['example.com'],
  });
const role_claim = text(1, 256).meta({
  description: "The ID token's claim that `role_map` is applied to: a string or a list of strings",
  example: 'groups',
});
const role_map = z
  .record(text(1, 256), role)
  .refine((map) => Object.keys(map).length <= MAX_ROLE_MAP_ENTRIES, `at most ${MAX_ROLE_MAP_ENTRIES} entries`)
  .meta({
    description: 'The role for each value of the claim. If a person has several values, the highest role applies',
    example: { engineering: 'developer', platform: 'admin' },
  });
const default_role = role
  .nullable()
  .meta({ description: 'The role of people for whom `role_map` has no entry; null: they are refused' });
const is_required = z.boolean().meta({
  description:
    'Whether passwords work only for owners with `is_break_glass`. When this becomes true, everyone else who signed in with a password is signed out',
});

export const organizationSso = z
  .strictObject({
    object: z.literal('organization_sso'),
    issuer,
    client_id,
    domains: z.array(z.string()).meta({ description: "People's email domains", example: ['example.com'] }),
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
  description:
    'Stored encrypted, never returned. If you leave it out, it stays unchanged as long as `issuer` is the same',
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
    .meta({ description: `${what}; identity providers can add it to a tile's link. Not used` });

/** OpenID Connect Core 4: what an identity provider adds to the URL that it opens. */
export const ssoLinkFromProvider = ssoStart.extend({
  iss: ofProvider('The issuer'),
  login_hint: ofProvider('Who is expected to sign in'),
  target_link_uri: ofProvider('Where to go afterwards'),
});
