// What a code and a refresh token have in common: an access token for what a person granted.

import { grantedScopes, type Scope } from '@toolgate/contract/permissions.ts';
import { z } from 'zod';
import type { Project } from '../../../access/caller.ts';
import { grantLayer, type ScopeToolset } from '../../../access/grant-layer.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { hashToken } from '../../../secrets/tokens.ts';
import { createGrantedSession } from '../../members/member-sessions/create-granted.ts';
import { memberToolsets } from '../../members/member-sessions/member-toolsets.ts';
import { findProject } from '../../projects/projects/find.ts';
import { endGrant } from '../grants/revoke.ts';
import type { UsableGrant } from '../grants/usable-grant.ts';
import { countedRefusal } from './client-authentication.ts';
import type { Parameters } from './parameters.ts';
import { findResourceToolset, projectInResource } from './resource.ts';
import { scopeText } from './toolset-scopes.ts';

export const tokenResponse = z
  .strictObject({
    access_token: z.string().meta({
      description: 'A session token for the member, or for the client itself',
      example: 'svc_mst_…',
    }),
    token_type: z.literal('Bearer').meta({ description: 'How to send the access token: `Authorization: Bearer …`' }),
    expires_in: z.int().meta({ description: 'Seconds until the access token expires', example: 900 }),
    refresh_token: z.string().optional().meta({
      description:
        'For the next access token; each one works once. Only after a sign-in, and if the client has the grant type',
      example: 'svc_ort_…',
    }),
    scope: z.string().meta({ description: 'The granted scopes', example: 'mcp' }),
  })
  .meta({ id: 'TokenResponse' });

export type TokenResponse = z.infer<typeof tokenResponse>;

/** What the token is for. `toolset_ids`: null for all toolsets of the grant. `resource`: null for the endpoint of the project. */
export type Asked = { scopes: Scope[]; toolset_ids: string[] | null; resource: string | null };

/** RFC 8707 2.2: it must be the one that the code was asked for, which a request need not repeat. */
export function readResource(
  { config }: App,
  { resource, project_id }: UsableGrant,
  parameters: Parameters,
): string | null {
  const given = parameters.get('resource');
  if (given === undefined || given === resource) return resource;
  const named = projectInResource(config.public_url, given);
  if (resource !== null || named === undefined || (named !== null && named !== project_id))
    throw refuse.oauthInvalidTarget();
  return given;
}

export async function issueGranted(
  app: App,
  project: Project,
  { grant, toolsets, asked }: { grant: UsableGrant; toolsets: readonly ScopeToolset[]; asked: Asked },
  { kind, token }: { kind: 'code' | 'refresh_token'; token: string },
): Promise<TokenResponse | null> {
  const scopes = grantedScopes(asked.scopes, grant.grantable ?? []);
  if (scopes.length === 0) return null;
  const seen = await memberToolsets(app, project, grant.claims ?? {});
  const url_toolset_id = await findResourceToolset(app, project, asked.resource);
  const narrowed = { granted_toolset_ids: asked.toolset_ids, url_toolset_id };
  const session = { scopes, toolset_ids: seen?.ids ?? null, ...narrowed };
  const tokens = await app.permits.run(project, () =>
    createGrantedSession(app, grant, { kind, hash: hashToken(token) }, session),
  );
  const scope = scopeText(scopes, grantLayer(grant, toolsets, asked.toolset_ids));
  return tokens && { token_type: 'Bearer', ...tokens, scope };
}

export async function projectOf(app: App, { project_id }: UsableGrant): Promise<Project> {
  const project = await findProject(app, project_id);
  if (!project) throw refuse.oauthInvalidGrant();
  return project;
}

export async function reused(app: App, project: Project, grant: UsableGrant, ip: string): Promise<Error> {
  await app.permits.run(project, () => endGrant(app, project, grant));
  return invalidGrant(app, ip);
}

export const invalidGrant = (app: App, ip: string) => countedRefusal(app, ip, refuse.oauthInvalidGrant);
