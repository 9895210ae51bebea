// An MCP server whose tools a project offers as its own, and what is sent to create and change one. Its secret is never returned.

import { z } from 'zod';
import { certificateId } from '../certificates/field.ts';
import { MAX_JWE_LENGTH } from '../custom-tools/encryption-key.ts';
import { DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS, MIN_TIMEOUT_MS } from '../custom-tools/rules.ts';
import { limitedText, name, resourceHistory, text, timestamp } from '../fields.ts';
import { TOOLSET_SLUG, TOOLSET_SLUG_RULE } from '../toolsets/rules.ts';
import {
  DEFAULT_SYNC_MINUTES,
  MAX_SYNC_MINUTES,
  MIN_SYNC_MINUTES,
  reviewModes,
  serverAuthStrategies,
  serverStatuses,
} from './rules.ts';

const MAX_URL_LENGTH = 2048;

const slug = limitedText(40, TOOLSET_SLUG_RULE).regex(TOOLSET_SLUG, TOOLSET_SLUG_RULE).meta({
  description: "Prefix for the names of its tools; unique among the project's MCP servers, and never changes",
  example: 'billing',
});
const url = text(1, MAX_URL_LENGTH).meta({
  description: 'HTTPS URL of its Streamable HTTP endpoint. Plain HTTP only if the operator allows it',
  example: 'https://mcp.example.com/mcp',
});
const auth_strategy = z
  .enum(serverAuthStrategies)
  .meta({ description: "How requests authenticate to the server. The caller's own credential is never passed on" });
const auth_config = z
  .strictObject({
    header_name: text(1, 128).optional().meta({ description: 'api_key_header: X-API-Key by default' }),
    token_url: text(1, MAX_URL_LENGTH)
      .optional()
      .meta({ description: 'oauth2_client_credentials, token_exchange: the HTTPS URL that issues access tokens' }),
    client_id: text(1, 1024).optional().meta({
      description:
        'oauth2_client_credentials, token_exchange: the id of the client whose secret is stored. member_oauth: the same; without it, toolgate identifies itself with its client metadata document',
    }),
    issuer: text(1, MAX_URL_LENGTH).optional().meta({
      description:
        'member_oauth: the issuer of the authorization server where members sign in. Required with `client_id`, because the secret is bound to it. Without it, the first issuer found is pinned',
    }),
    scope: text(1, 1024).optional().meta({
      description:
        'oauth2_client_credentials, token_exchange, member_oauth: scopes to request, separated by single spaces',
    }),
    audience: text(1, 1024)
      .optional()
      .meta({ description: 'member_jwt: the `aud` of the JWT. token_exchange: the audience to request' }),
  })
  .meta({ description: 'What the strategy requires besides its secret' });
/** The endpoints as the metadata of the issuer has them. */
const issuerFields = {
  issuer: text(1, MAX_URL_LENGTH).meta({
    description: "The authorization server's issuer (RFC 8414)",
    example: 'https://auth.example.com',
  }),
  authorization_endpoint: text(1, MAX_URL_LENGTH).meta({
    description: "Where members' browsers are sent",
    example: 'https://auth.example.com/authorize',
  }),
  token_endpoint: text(1, MAX_URL_LENGTH).meta({
    description: 'Where codes, refresh tokens and the client secret are sent',
    example: 'https://auth.example.com/token',
  }),
};

/** What an admin approves. */
export const serverIssuer = z.strictObject(issuerFields).meta({ id: 'ServerIssuer' });

export type ServerIssuer = z.infer<typeof serverIssuer>;

const pinnedIssuer = z
  .strictObject({
    issuer: issuerFields.issuer,
    authorization_endpoint: issuerFields.authorization_endpoint.nullable().meta({
      description: "Where members' browsers are sent; null until the issuer's metadata is read",
    }),
    token_endpoint: issuerFields.token_endpoint.nullable().meta({
      description: 'Where codes, refresh tokens and the client secret are sent; null until the metadata is read',
    }),
  })
  .meta({ id: 'PinnedIssuer' });

export type PinnedIssuer = z.infer<typeof pinnedIssuer>;

const encrypted_auth_secret = text(0, MAX_JWE_LENGTH).nullable().meta({
  description: 'A JWE (ECDH-ES, A256GCM) encrypted for the key at /encryption-key, or the plain secret. Never returned',
});
const headers = z.record(z.string(), z.string()).meta({
  description: 'Fixed request headers, sent with every request to the server',
  example: { 'X-Tenant': 'acme' },
});
const timeout_ms = z.int().min(MIN_TIMEOUT_MS).max(MAX_TIMEOUT_MS).meta({
  description: 'How long a call to one of its tools, or a request for its tool list, can take, in milliseconds',
});
const sync_minutes = z.int().min(MIN_SYNC_MINUTES).max(MAX_SYNC_MINUTES).meta({
  description: 'How often its tool list is read',
});
const review = z.enum(reviewModes).meta({
  description:
    '`manual`: every new tool waits for approval. `read_only_auto`: a new tool is approved immediately if its hints declare it read-only and it has no warnings. Changes always wait',
});

const certificate_id = certificateId.meta({
  description:
    "The certificate that connections to the server and to `auth_config.token_url` are made with; null: none, and the system's certificate authorities. Only callers with `admin` can set it, or change these hosts while it is set",
});

const is_approved = z.boolean().meta({
  description:
    "Only callers with `admin` can set it: whether calls can send members' tokens, or JWTs about them, in production. When a caller with `admin` changes where they are sent, that counts as approval; when another caller does, it is set to false",
});

export const mcpServer = z
  .strictObject({
    id: z.string(),
    object: z.literal('mcp_server'),
    project_id: z.string(),
    slug,
    name,
    url,
    auth_strategy,
    auth_config,
    has_auth_secret: z.boolean().meta({ description: 'Whether a secret is stored. The secret is never returned' }),
    headers,
    certificate_id,
    timeout_ms,
    sync_minutes,
    review,
    is_approved: z.boolean().meta({
      description:
        'With `member_oauth`, `member_jwt` or `token_exchange`: whether someone with the permission `admin` saved or approved the server. In production, nobody can connect an account for a server that is not approved, and calls to its tools are refused. Always true with other strategies',
    }),
    status: z.enum(serverStatuses).nullable().meta({
      description: 'The result of the latest attempt to read its tool list; null if there was none',
    }),
    last_synced_at: timestamp.nullable().meta({ description: 'When its tool list was last read' }),
    last_error: z.string().nullable().meta({ description: 'Why the tool list could not be read; null if it could' }),
    revision: z.string().nullable().meta({ description: 'The MCP revision that it speaks', example: '2026-07-28' }),
    pinned_issuer: pinnedIssuer.nullable().meta({
      description:
        'member_oauth: the authorization server where members sign in. Null if it is not known yet, or with other strategies',
    }),
    found_issuer: serverIssuer.nullable().meta({
      description:
        "member_oauth: an authorization server from the MCP server's metadata that no admin has approved: it is not the pinned one, or its endpoints have changed or are on two origins. While it waits, nothing is sent for members. Null if nothing waits",
    }),
    pending_count: z.int().meta({ description: 'How many new or changed tools wait for approval' }),
    tool_count: z.int().meta({ description: "How many of the project's tools come from it" }),
    ...resourceHistory,
  })
  .meta({ id: 'McpServer' });

export type McpServer = z.infer<typeof mcpServer>;

export const newMcpServer = z
  .strictObject({
    slug,
    name,
    url,
    auth_strategy: auth_strategy.default('none'),
    auth_config: auth_config.default({}),
    encrypted_auth_secret: encrypted_auth_secret.default(null),
    headers: headers.default({}),
    certificate_id: certificate_id.default(null),
    timeout_ms: timeout_ms.default(DEFAULT_TIMEOUT_MS),
    sync_minutes: sync_minutes.default(DEFAULT_SYNC_MINUTES),
    review: review.default('manual'),
  })
  .meta({ id: 'NewMcpServer' });

export type NewMcpServer = z.infer<typeof newMcpServer>;

export const mcpServerChange = z
  .strictObject({
    slug: slug.meta({ description: 'Cannot be changed' }),
    name,
    url,
    auth_strategy,
    auth_config,
    encrypted_auth_secret,
    headers,
    certificate_id,
    timeout_ms,
    sync_minutes,
    review,
    is_approved,
  })
  .partial()
  .meta({ id: 'McpServerChange' });

export type McpServerChange = z.infer<typeof mcpServerChange>;
