// An OAuth provider: where the members of a project sign in. Its client secret is never returned.

import { z } from 'zod';
import { certificateId } from '../certificates/field.ts';
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
    "oidc only: whether clients can exchange ID-JAGs from this issuer, which are assertions that let clients act for a company's users",
});
const required_claims = z
  .record(text(1, 128), text(1, 512))
  .refine((claims) => Object.keys(claims).length <= 5, 'must not have more than 5 claims')
  .meta({
    description:
      'Claims that an ID-JAG must have: names and values of at most 5 claims, such as the tenant (`tid`, `hd`) of an issuer that many companies share',
    example: { tid: '72f988bf-86f1-41af-91ab-2d7cd011db47' },
  });
const link_by = z.enum(linkKinds).meta({
  description:
    'How users of this provider are identified, in an ID-JAG and when they sign in with a browser: according to the setting `oauth_member_id`, or with `email` by the verified email address',
});
const max_assertion_seconds = z
  .int()
  .min(MIN_ASSERTION_SECONDS)
  .max(MAX_ASSERTION_SECONDS)
  .meta({ description: 'The maximum lifetime of an ID-JAG' });

const certificate_id = certificateId.meta({
  description:
    "The certificate that connections to the provider are made with: for its discovery document, its keys and its tokens; null: none, and the system's certificate authorities. Only callers with `admin` can set it",
});

const provider = z.enum(oauthProviderKinds).meta({ description: 'oidc: any OpenID issuer, by its discovery document' });

export const oauthProvider = z
  .strictObject({
    id: z.string(),
    object: z.literal('oauth_provider'),
    project_id: z.string(),
    provider,
    name,
    issuer: z.string().meta({
      description: 'Which provider identifies the people who sign in',
      example: 'https://accounts.google.com',
    }),
    client_id: z.string().meta({ description: 'Client id of your app at the provider' }),
    scopes: z.array(z.string()).meta({ description: 'Requested at every sign-in', example: ['openid', 'email'] }),
    permissions: z
      .array(z.enum(permissionNames))
      .meta({ description: 'The highest permissions on the management API that a person who signs in here can get' }),
    allowed_origins: z.array(z.string()).meta({
      description:
        "The only origins to which tools with `member_oauth` send members' tokens. If empty: any origin in a development project, none in production",
      example: ['https://api.example.com'],
    }),
    toolset_ids: toolsetIds,
    accepts_id_jag,
    required_claims,
    link_by,
    max_assertion_seconds,
    certificate_id,
    is_enabled: z.boolean().meta({ description: 'Whether people can sign in with this provider' }),
    is_approved: z.boolean().meta({
      description:
        "Whether someone with the permission `admin` created or approved the provider in its current state. In production, a provider that is not approved is not used: nobody can sign in there, and no members' tokens are sent",
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
        'Why a sign-in last failed, if you can fix it; updated at most once a minute. Null after the next successful sign-in, and after client_id or client_secret changes',
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
      'Optional: choose the id yourself, `oap_` and 22 random letters and digits. The `callback_url` ends with it, which some providers require before they issue a client_id',
    example: 'oap_6tRx1nZcQm4vWk8YbF3sHd',
  });
const issuer = limitedText(2048).nullable().meta({
  description:
    'oidc: the issuer whose discovery document is read. github: the origin of a GitHub Enterprise Server; otherwise leave it out',
  example: 'https://login.example.com',
});
export const clientId = visible(1024).meta({ description: 'Client id of your app at the provider' });
export const clientSecret = limitedText(4096)
  .regex(/^[\x20-\x7e]+$/, 'must be ASCII characters')
  .meta({ description: 'Client secret of your app at the provider. Stored encrypted, never returned' });
const scopes = z
  .array(visible(256).regex(/^[^"\\]*$/, 'must not contain " or \\')) // RFC 6749 appendix A.4
  .max(50, { abort: true })
  .refine(noneTwice, 'must not list a scope twice')
  .meta({
    description: 'Requested at every sign-in; `openid` is added if needed',
    example: ['openid', 'email'],
  });
const permissions = z
  .array(z.enum(permissionNames))
  .max(permissionNames.length, { abort: true })
  .refine(noneTwice, 'must not list a permission twice')
  .meta({
    description:
      'The highest permissions on the management API that a person who signs in here can get. You cannot grant permissions that you lack',
    example: ['read'],
  });

export const MAX_ALLOWED_ORIGINS = 100;

/** Whether each is an origin on the public internet depends on the server's configuration. */
const allowed_origins = z
  .array(limitedText(512))
  .max(MAX_ALLOWED_ORIGINS, { abort: true })
  .meta({
    description:
      "The only origins to which tools with `member_oauth` send members' tokens. If empty: any origin in a development project, none in production. When a caller with `admin` creates such a tool, or changes where it sends the token, its origin is added",
    example: ['https://api.example.com'],
  });
const is_approved = z.boolean().meta({
  description:
    'Only callers with `admin` can set it: whether the provider can be used in production in its current state. When a caller without `admin` changes who can sign in or where tokens are sent, it is set to false',
});
const is_enabled = z.boolean().meta({ description: 'Whether people can sign in with this provider' });

export const oauthProviderRequest = z
  .strictObject({
    id: id.optional(),
    provider,
    name: name.optional().meta({
      description: "The name that people see when they choose it; default: Google, GitHub or the issuer's host",
    }),
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
    certificate_id: certificate_id.default(null),
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
    certificate_id,
    is_enabled,
    is_approved,
  })
  .partial()
  .meta({ id: 'OAuthProviderChange' });

export type OAuthProviderChange = z.infer<typeof oauthProviderChange>;
