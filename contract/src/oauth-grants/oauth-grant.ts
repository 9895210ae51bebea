// A grant: a member signed in and let a client act for them.

import { z } from 'zod';
import { timestamp } from '../fields.ts';
import { scopes } from '../permissions.ts';

/** registered: by the customer. dynamic: by itself (RFC 7591). metadata: its client_id is the URL of its metadata document. */
export const oauthClientKinds = ['registered', 'dynamic', 'metadata'] as const;

export type OAuthClientKind = (typeof oauthClientKinds)[number];

export const oauthGrant = z
  .strictObject({
    id: z.string(),
    object: z.literal('oauth_grant'),
    project_id: z.string(),
    member_id: z.string().meta({ description: 'Id of the member who signed in' }),
    provider_id: z.string().meta({ description: 'Where the member signed in' }),
    client_kind: z.enum(oauthClientKinds).meta({
      description:
        '`registered`: an OAuth client of the project. `dynamic`: it registered itself. `metadata`: its client_id is the URL of its metadata document',
    }),
    client_id: z.string().meta({ description: 'Id of the client, or the URL of its metadata document' }),
    client_name: z.string().meta({ description: "The client's name at the time of the sign-in", example: 'Web shop' }),
    integration_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the integration that its sessions belong to; null if the client has none' }),
    scopes: z.array(z.enum(scopes)).meta({ description: 'What the member granted' }),
    toolsets: z
      .array(
        z.strictObject({
          toolset_id: z.string().meta({ description: 'Id of the toolset' }),
          approved_at: timestamp.meta({ description: 'When the member approved it, with the tools it contained then' }),
        }),
      )
      .nullable()
      .meta({
        description:
          "The toolsets that the member approved. Null: none of the project's toolsets was a scope at that time, so the scope `mcp` covered every tool",
      }),
    resource: z.string().nullable().meta({ description: 'The MCP endpoint that the client requested' }),
    created_at: timestamp,
    last_used_at: timestamp.nullable().meta({ description: 'When a token was last issued' }),
    expires_at: timestamp
      .nullable()
      .meta({ description: 'When it expires unless the client refreshes its token first' }),
  })
  .meta({ id: 'OAuthGrant' });

export type OAuthGrant = z.infer<typeof oauthGrant>;
