// An OAuth provider: where the members of a project sign in. Its client secret is never returned.

import { z } from 'zod';
import { limitedText, name, resourceHistory, text } from '../fields.ts';
import { isId } from '../ids.ts';
import { permissions as permissionNames } from '../permissions.ts';
import { toolsetIds } from '../toolsets/fields.ts';
import { oauthProviderError } from './oauth-provider-error.ts';
import {
  DEFAULT_ASSERTION_SECONDS,
  linkKinds,
  MAX_ASSERTION_SECONDS,
  MIN_ASSERTION_SECONDS,
  oauthProviderKinds,
} from './rules.ts';

const accepts_id_jag = z.boolean().meta({
  description:
    'oidc only: whether clients may exchange ID-JAGs of the issuer, assertions with which a company lets them act for its people',
});
const required_claims = z
  .record(text(1, 128), text(1, 512))
  .refine((claims) => Object.keys(claims).length <= 5, 'must not have more than 5 claims')
  .meta({
    description:
      'What an ID-JAG must say: name and value of at most 5 claims, such as the tenant (`tid`, `hd`) of an issuer that many companies share',
    example: { tid: '72f988bf-86f1-41af-91ab-2d7cd011db47' },
  });
const link_by = z.enum(linkKinds).meta({
  description:
    'How people of this provider are known, in an ID-JAG and in a sign-in by a browser alike: as the setting `oauth_member_id` says, or with `email` by the verified email address',
});
const max_assertion_seconds = z
  .int()
  .min(MIN_ASSERTION_SECONDS)
  .max(MAX_ASSERTION_SECONDS)
  .meta({ description: 'How long an ID-JAG may live' });

const provider = z.enum(oauthProviderKinds).meta({ description: 'oidc: any OpenID issuer, by its discovery document' });

export const oauthProvider = z
  .strictObject({
    id: z.string(),
    object: z.literal('oauth_provider'),
    project_id: z.string(),
    provider,
    name,
    issuer: z
      .string()
      .meta({ description: 'Who vouches for the people who sign in', example: 'https://accounts.google.com' }),
    client_id: z.string().meta({ description: 'Client id of your app at the provider' }),
    scopes: z.array(z.string()).meta({ description: 'Requested at every sign-in', example: ['openid', 'email'] }),
    permissions: z
      .array(z.enum(permissionNames))
      .meta({ description: 'The most that a person who signs in here can be granted on the management API' }),
    allowed_origins: z.array(z.string()).meta({
      description:
        "The only origins to which tools with `member_oauth` send its members' tokens. Empty: any in a development project, none in production",
      example: ['https://api.example.com'],
    }),
    toolset_ids: toolsetIds,
    accepts_id_jag,
    required_claims,
    link_by,
    max_assertion_seconds,
    is_enabled: z.boolean().meta({ description: 'Nobody can sign in at one that is not enabled' }),
    is_approved: z.boolean().meta({
      description:
        'Whether somebody with the permission `admin` created or approved it as it is. In production a provider that is not approved is not used: nobody can sign in there, and no token of its members is sent',
    }),
    callback_url: z.string().meta({
      description: 'Register this redirect URI at the provider',
      example: 'https://tools.example.com/api/v1/oauth/callback/oap_6tRx1nZcQm4vWk8YbF3sHd',
    }),
    member_prefix: z.string().meta({
      description: 'External ids of members who sign in here are `<member_prefix>:<subject>`',
      example: 'google',
    }),
    ...resourceHistory,
    last_error: oauthProviderError.nullable().meta({
      description:
        'Why a sign-in here last failed, if it is something to repair; written at most once a minute. Null after the next sign-in, and after a change of client_id or client_secret',
    }),
  })
  .meta({ id: 'OAuthProvider' });

export type OAuthProvider = z.infer<typeof oauthProvider>;

/** Spaces separate scopes, and a credential is sent in a header or form: visible ASCII. */
const visible = (most: number) => limitedText(most).regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters');
const noneTwice = (values: string[]) => new Set(values).size === values.length;

/** Chosen by the caller, so that the callback URL is known before the app is registered at the provider. */
const id = z
  .string()
  .refine((text) => isId('oap', text), 'must be oap_ and 22 letters and digits')
  .meta({
    description:
      'Leave it out, or choose it: `oap_` and 22 random letters and digits. It is the end of the `callback_url`, which some providers want before they give a client_id',
    example: 'oap_6tRx1nZcQm4vWk8YbF3sHd',
  });
const issuer = limitedText(2048).nullable().meta({
  description:
    'oidc: the issuer, whose discovery document is read. github: the origin of a GitHub Enterprise Server, else left out',
  example: 'https://login.example.com',
});
export const clientId = visible(1024).meta({ description: 'Client id of your app at the provider' });
export const clientSecret = limitedText(4096)
  .regex(/^[\x20-\x7e]+$/, 'must be ASCII characters')
  .meta({ description: 'Client secret of your app at the provider. Stored sealed, never returned' });
const scopes = z
  .array(visible(256).regex(/^[^"\\]*$/, 'must not contain " or \\')) // RFC 6749 appendix A.4
  .max(50, { abort: true })
  .refine(noneTwice, 'must not name a scope twice')
  .meta({
    description: 'Requested at every sign-in; `openid` is added where it is needed',
    example: ['openid', 'email'],
  });
const permissions = z
  .array(z.enum(permissionNames))
  .max(permissionNames.length, { abort: true })
  .refine(noneTwice, 'must not name a permission twice')
  .meta({
    description:
      'The most that a person who signs in here can be granted on the management API. Not more than the caller has itself',
    example: ['read'],
  });

export const MAX_ALLOWED_ORIGINS = 100;

/** Whether each is an origin on the public internet depends on the server's configuration. */
const allowed_origins = z
  .array(limitedText(512))
  .max(MAX_ALLOWED_ORIGINS, { abort: true })
  .meta({
    description:
      "The only origins to which tools with `member_oauth` send its members' tokens. Empty: any in a development project, none in production. A caller with `admin` who creates such a tool, or changes where it sends the token, adds its origin",
    example: ['https://api.example.com'],
  });
const is_approved = z.boolean().meta({
  description:
    'Set by callers with `admin` only: whether it may be used in production as it is. Another change by a caller without `admin` that decides who can sign in or where tokens go sets it to false',
});
const is_enabled = z.boolean().meta({ description: 'Nobody can sign in at one that is not enabled' });

export const oauthProviderRequest = z
  .strictObject({
    id: id.optional(),
    provider,
    name: name.optional().meta({ description: 'What people choose it by; Google, GitHub or the host of the issuer' }),
    issuer: issuer.default(null),
    client_id: clientId,
    client_secret: clientSecret,
    scopes: scopes.optional(),
    permissions: permissions.default([]),
    allowed_origins: allowed_origins.default([]),
    toolset_ids: toolsetIds.default(null),
    accepts_id_jag: accepts_id_jag.default(false),
    required_claims: required_claims.default({}),
    link_by: link_by.default('subject'),
    max_assertion_seconds: max_assertion_seconds.default(DEFAULT_ASSERTION_SECONDS),
    is_enabled: is_enabled.default(true),
  })
  .meta({ id: 'OAuthProviderRequest' });

export type OAuthProviderRequest = z.infer<typeof oauthProviderRequest>;

export const oauthProviderChange = z
  .strictObject({
    provider: provider.meta({ description: 'Cannot be changed' }),
    issuer: issuer.meta({ description: 'Cannot be changed' }),
    name,
    client_id: clientId,
    client_secret: clientSecret,
    scopes,
    permissions,
    allowed_origins,
    toolset_ids: toolsetIds,
    accepts_id_jag,
    required_claims,
    link_by,
    max_assertion_seconds,
    is_enabled,
    is_approved,
  })
  .partial()
  .meta({ id: 'OAuthProviderChange' });

export type OAuthProviderChange = z.infer<typeof oauthProviderChange>;
