// POST /oauth/introspect (RFC 7662): a confidential client asks whether a token that it was issued is still valid.

import { grantedScopes } from '@toolgate/contract/permissions.ts';
import { z } from 'zod';
import { grantLayer } from '../../../access/grant-layer.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { clientNetwork } from '../../../limits/client-network.ts';
import { findScopeToolsetsOf } from '../../policies/toolsets/slugs.ts';
import type { ClientSession } from '../client-sessions/sessions.ts';
import { authenticateClient, type TokenRequest } from './client-authentication.ts';
import { findIssued } from './issued-token.ts';
import { requireParameter } from './parameters.ts';
import { scopeText } from './toolset-scopes.ts';

export const introspection = z
  .strictObject({
    active: z.boolean().meta({ description: 'Whether the token can be used now' }),
    scope: z.string().optional().meta({ description: 'What the token allows, separated by spaces', example: 'mcp' }),
    client_id: z.string().optional().meta({ description: 'The client that the token was issued to' }),
    token_type: z
      .enum(['Bearer', 'refresh_token'])
      .optional()
      .meta({ description: 'An access token or a refresh token' }),
    exp: z.int().optional().meta({ description: 'When it expires, in Unix seconds' }),
    sub: z
      .string()
      .optional()

      .meta({
        description: "The member's external id, or the client for a session without a member",
        example: 'google:110248495921238986420',
      }),
    member_id: z.string().optional().meta({ description: 'Id of the member' }),
    project_id: z.string().optional().meta({ description: 'Id of the project' }),
    aud: z.string().optional().meta({ description: 'The MCP endpoint that the token is for' }),
    iss: z.string().optional().meta({ description: 'The issuer: the public URL of this server' }),
  })
  .meta({
    id: 'TokenIntrospection',
    description: 'Only `active` if the token is not valid or belongs to another client',
  });

export async function introspect(app: App, request: TokenRequest): Promise<z.infer<typeof introspection>> {
  const client = await authenticateClient(app, request);
  if (client.is_public)
    throw refuse.oauthInvalidClient({
      details: { remedy: 'Use a client with a secret: other clients cannot introspect tokens.' },
    });
  const token = requireParameter(request.parameters, 'token');
  const issued = await app.lookups.run(clientNetwork(request.ip), () => findIssued(app, client, token));
  if (!issued) return { active: false };
  if (issued.kind === 'client_session') return describeClientSession(app, issued.session);
  const { grant } = issued;
  const scopes = issued.kind === 'access_token' ? issued.session.scopes : grant.scopes;
  const expires_at = issued.kind === 'access_token' ? issued.session.expires_at : grant.refresh_expires_at;
  if (expires_at === null || Date.parse(expires_at) <= app.now()) return { active: false };
  const layer =
    issued.kind === 'access_token'
      ? issued.session.grant
      : grantLayer(grant, await findScopeToolsetsOf(app, grant.project_id, clientNetwork(request.ip)), null);
  const { public_url } = app.config;
  return {
    active: true,
    scope: scopeText(grantedScopes(scopes, grant.grantable ?? []), layer),
    client_id: grant.client_id,
    token_type: issued.kind === 'access_token' ? 'Bearer' : 'refresh_token',
    exp: Math.floor(Date.parse(expires_at) / 1000),
    sub: grant.external_id,
    member_id: grant.member_id,
    project_id: grant.project_id,
    aud: grant.resource ?? `${public_url}/api/v1/mcp/${grant.project_id}`,
    iss: public_url,
  };
}

function describeClientSession({ config, now }: App, session: ClientSession): z.infer<typeof introspection> {
  const { client_id, project_id, expires_at } = session;
  if (Date.parse(expires_at) <= now()) return { active: false };
  return {
    active: true,
    scope: 'mcp',
    client_id,
    token_type: 'Bearer',
    exp: Math.floor(Date.parse(expires_at) / 1000),
    sub: client_id,
    project_id,
    aud: `${config.public_url}/api/v1/mcp/${project_id}`,
    iss: config.public_url,
  };
}
