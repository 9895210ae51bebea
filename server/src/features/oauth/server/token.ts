// POST /oauth/token: a code, a refresh token, or the client's own credentials, for an access token. The access token is a session.

import { createHash } from 'node:crypto';
import { defaultGrantTypes, type OAuthGrantType, oauthGrantTypes } from '@toolgate/contract/oauth-clients/rules.ts';
import { grantedScopes, type Scope } from '@toolgate/contract/permissions.ts';
import { z } from 'zod';
import type { Project } from '../../../access/caller.ts';
import { grantLayer, type ScopeToolset } from '../../../access/grant-layer.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { clientNetwork } from '../../../limits/client-network.ts';
import { hashToken, sameBytes } from '../../../secrets/tokens.ts';
import { createGrantedSession } from '../../members/member-sessions/create-granted.ts';
import { memberToolsets } from '../../members/member-sessions/member-toolsets.ts';
import { findScopeToolsets } from '../../policies/toolsets/slugs.ts';
import { findProject } from '../../projects/projects/find.ts';
import { findByCode, findByRefreshToken, isReplaced } from '../grants/find.ts';
import { endGrant } from '../grants/revoke.ts';
import type { UsableGrant } from '../grants/usable-grant.ts';
import {
  type AuthenticatedClient,
  authenticateClient,
  countedRefusal,
  type TokenRequest,
} from './client-authentication.ts';
import { issueForClient } from './client-credentials.ts';
import { type CountedRequest, countAgainstPlan } from './count-token-request.ts';
import { exchangeIdJag } from './exchange-id-jag.ts';
import { JWT_BEARER } from './metadata.ts';
import { type Parameters, requireParameter } from './parameters.ts';
import { findResourceToolset, projectInResource } from './resource.ts';
import { narrowedTo, scopeText } from './toolset-scopes.ts';

export const tokenResponse = z
  .strictObject({
    access_token: z.string().meta({
      description: 'A session token: of the member, or of the client itself',
      example: 'svc_mst_…',
    }),
    token_type: z.literal('Bearer').meta({ description: 'How the access token is sent: `Authorization: Bearer …`' }),
    expires_in: z.int().meta({ description: 'Seconds until the access token expires', example: 900 }),
    refresh_token: z.string().optional().meta({
      description:
        'For the next access token; each is used once. Only after a sign-in, and if the client has the grant type',
      example: 'svc_ort_…',
    }),
    scope: z.string().meta({ description: 'What was granted', example: 'mcp' }),
  })
  .meta({ id: 'TokenResponse' });

/** What the token is for. `toolset_ids`: null for all toolsets of the grant. `resource`: null for the endpoint of the project. */
type Asked = { scopes: Scope[]; toolset_ids: string[] | null; resource: string | null };

type TokenResponse = z.infer<typeof tokenResponse>;
type Request = TokenRequest & CountedRequest;

export async function issueToken(app: App, request: Request): Promise<TokenResponse> {
  const grant_type = grantTypeOf(request.parameters);
  if (grant_type === JWT_BEARER || grant_type === 'client_credentials') refuseWithoutClient(request);
  const client = await authenticateClient(app, request);
  if (grant_type === JWT_BEARER) return exchangeIdJag(app, client, request);
  if (grant_type === 'client_credentials') return issueForClient(app, client, request);
  const { grant_types } = client.registered ?? { grant_types: defaultGrantTypes };
  if (!grant_types.includes(grant_type)) throw refuse.oauthUnauthorizedClient();
  if (grant_type === 'refresh_token') return refresh(app, client, request);
  const { refresh_token, ...response } = await redeemCode(app, client, request);
  // Otherwise nobody gets to know it.
  return grant_types.includes('refresh_token') && refresh_token ? { ...response, refresh_token } : response;
}

/** Where a client must authenticate, none at all is a failed authentication and not a missing parameter (RFC 6749 5.2). */
function refuseWithoutClient({ parameters, authorization }: Request): void {
  const ways = ['client_id', 'client_assertion', 'client_assertion_type'];
  if (authorization === undefined && !ways.some((way) => parameters.has(way)))
    throw refuse.oauthInvalidClient({ details: { field: 'client_id' } });
}

/** The minimal request has no grant_type: it has a code. */
function grantTypeOf(parameters: Parameters): OAuthGrantType | typeof JWT_BEARER {
  const implied = parameters.has('refresh_token') && !parameters.has('code') ? 'refresh_token' : 'authorization_code';
  const given = parameters.get('grant_type') ?? implied;
  if (given === JWT_BEARER) return given;
  const grant_type = oauthGrantTypes.find((each) => each === given);
  if (grant_type === undefined) throw refuse.oauthUnsupportedGrantType();
  return grant_type;
}

async function redeemCode(app: App, client: AuthenticatedClient, request: Request): Promise<TokenResponse> {
  const { parameters, ip } = request;
  const code = requireParameter(parameters, 'code');
  const grant = await app.lookups.run(clientNetwork(ip), () => findByCode(app, code));
  if (!grant || grant.client_id !== client.client_id) throw await invalidGrant(app, ip);
  const project = await projectOf(app, grant);
  // A code that is used twice is in two hands: what the first got is revoked too (RFC 6749 4.1.2).
  if (grant.code_used_at !== null) throw await reused(app, project, grant, ip);
  checkBindings(grant, parameters);
  const resource = readResource(app, grant, parameters);
  await countAgainstPlan(app, project, request);
  const toolsets = await findScopeToolsets(app, project);
  const asked = { scopes: grant.scopes, toolset_ids: null, resource };
  const response = await issue(app, project, { grant, toolsets, asked }, { kind: 'code', token: code });
  if (response) return response;
  const current = await findByCode(app, code);
  if (current?.code_used_at) throw await reused(app, project, current, ip);
  throw refuse.oauthInvalidGrant();
}

/** What the code was made for must be what it is used for. */
function checkBindings({ redirect_uri, code_challenge }: UsableGrant, parameters: Parameters): void {
  if ((parameters.get('redirect_uri') ?? redirect_uri) !== redirect_uri)
    throw refuse.oauthInvalidGrant({
      details: { remedy: 'Send the redirect_uri of the authorization request, or leave it out.' },
    });
  const verifier = parameters.get('code_verifier');
  if (code_challenge === null && verifier === undefined) return;
  if (code_challenge === null || verifier === undefined || !isVerifier(verifier, code_challenge))
    throw refuse.oauthInvalidGrant({
      details: { remedy: 'Send the code_verifier that belongs to the code_challenge of the authorization request.' },
    });
}

function isVerifier(verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  const given = createHash('sha256').update(verifier).digest('base64url');
  return sameBytes(Buffer.from(given), Buffer.from(challenge));
}

async function refresh(app: App, client: AuthenticatedClient, request: Request): Promise<TokenResponse> {
  const { parameters, ip } = request;
  const token = requireParameter(parameters, 'refresh_token');
  const grant = await app.lookups.run(clientNetwork(ip), () => findByRefreshToken(app, token));
  if (!grant || grant.client_id !== client.client_id || grant.revoked_at !== null) throw await invalidGrant(app, ip);
  const project = await projectOf(app, grant);
  if (isReplaced(grant, token)) throw await reused(app, project, grant, ip);
  const toolsets = await findScopeToolsets(app, project);
  const scopes = narrowedScopes(grant, toolsets, parameters);
  const asked = { ...scopes, resource: readResource(app, grant, parameters) };
  await countAgainstPlan(app, project, request);
  const response = await issue(app, project, { grant, toolsets, asked }, { kind: 'refresh_token', token });
  if (!response) throw refuse.oauthInvalidGrant();
  return response;
}

/** A refresh may ask for less than was granted (RFC 6749 6). */
function narrowedScopes(
  grant: UsableGrant,
  toolsets: readonly ScopeToolset[],
  parameters: Parameters,
): Omit<Asked, 'resource'> {
  const given = parameters.get('scope');
  if (given === undefined) return { scopes: grant.scopes, toolset_ids: null };
  const narrowed = narrowedTo(given.split(' '), grant.scopes, grantLayer(grant, toolsets, null));
  if (!narrowed) throw refuse.oauthInvalidScope();
  return narrowed;
}

/** RFC 8707 2.2: it must be the one that the code was asked for, which a request need not repeat. */
function readResource({ config }: App, { resource, project_id }: UsableGrant, parameters: Parameters): string | null {
  const given = parameters.get('resource');
  if (given === undefined || given === resource) return resource;
  const named = projectInResource(config.public_url, given);
  if (resource !== null || named === undefined || (named !== null && named !== project_id))
    throw refuse.oauthInvalidTarget();
  return given;
}

async function issue(
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

async function projectOf(app: App, { project_id }: UsableGrant): Promise<Project> {
  const project = await findProject(app, project_id);
  if (!project) throw refuse.oauthInvalidGrant();
  return project;
}

async function reused(app: App, project: Project, grant: UsableGrant, ip: string): Promise<Error> {
  await app.permits.run(project, () => endGrant(app, project, grant));
  return invalidGrant(app, ip);
}

const invalidGrant = (app: App, ip: string) => countedRefusal(app, ip, refuse.oauthInvalidGrant);
