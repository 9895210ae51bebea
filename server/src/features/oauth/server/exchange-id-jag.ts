// grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer with an ID-JAG: a company's identity provider says that a client may act for one
// of its people. The response is a member session without a refresh token. Which check failed is in the trace only.

import type { IdJagCheck } from '@toolgate/contract/oauth-providers/rules.ts';
import { grantedScopes } from '@toolgate/contract/permissions.ts';
import { claimsToKeep } from '@toolgate/contract/projects/toolsets-of-member.ts';
import type { Project } from '../../../access/caller.ts';
import { grantLayer, type ScopeToolset } from '../../../access/grant-layer.ts';
import { withVisitorPermits } from '../../../api/visitor-permits.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { ApiError, refuse } from '../../../errors/errors.ts';
import { recordTrace } from '../../activity/analytics/record-trace.ts';
import { createGrantedSession } from '../../members/member-sessions/create-granted.ts';
import { memberToolsets } from '../../members/member-sessions/member-toolsets.ts';
import { hasHooks } from '../../policies/hooks/has-hooks.ts';
import { findScopeToolsets } from '../../policies/toolsets/slugs.ts';
import { createUsedGrant } from '../grants/create.ts';
import {
  findIssuerKeys,
  type IdJagProvider,
  mayBeIssuer,
  trustProblem,
  trustProvider,
} from '../id-jag/id-jag-checks.ts';
import { allowedScopes, scopeProblem } from '../id-jag/id-jag-scope.ts';
import { type VerifiedIdJag, verifyIdJag } from '../id-jag/verify-id-jag.ts';
import { readJwt } from '../keys/jwt.ts';
import { isJwtUsed, useJwtOnce } from '../keys/used-jwt.ts';
import { findEnabledProviders } from '../providers/find.ts';
import { type AuthenticatedClient, countedRefusal, type TokenRequest } from './client-authentication.ts';
import { findAnyClient, type OAuthClient } from './clients.ts';
import { type CountedRequest, countAgainstPlan } from './count-token-request.ts';
import { memberOf } from './member-of.ts';
import { requireParameter } from './parameters.ts';
import { findResourceToolset, findTarget, isSameResource } from './resource.ts';
import { requestedScopes, requestedToolsets, scopeText } from './toolset-scopes.ts';

type Request = TokenRequest & CountedRequest;
type Verified = VerifiedIdJag<IdJagProvider>;
type Target = { project: Project; client: OAuthClient; resource: string | null };

export async function exchangeIdJag(app: App, authenticated: AuthenticatedClient, request: Request) {
  const { parameters, ip } = request;
  const assertion = requireParameter(parameters, 'assertion');
  const client = await findExchangingClient(app, authenticated, ip);
  const resource = parameters.get('resource') ?? claimedResource(assertion);
  const project = await findTarget(app, client, { resource, ip });
  const target = { project, client, resource };
  // A client with a metadata document has no secret, so until the assertion is verified this is anyone's request.
  const verified = await verify(withVisitorPermits(app, ip), target, assertion, request);
  if ('failed' in verified) throw await refused(app, target, request, verified);
  await countAgainstPlan(app, project, request);
  const toolset_id = await findResourceToolset(app, project, resource);
  return mint(app, target, request, { verified, toolset_id });
}

/** Any client that proved who it is. One that is known by its metadata document has no secret. */
async function findExchangingClient(app: App, { client_id, is_public }: AuthenticatedClient, ip: string) {
  const client = await findAnyClient(app, client_id, ip);
  if (!client) throw refuse.oauthInvalidClient();
  if (is_public && client.kind !== 'metadata')
    throw refuse.oauthUnauthorizedClient({
      details: { remedy: 'Use a client that is not public, or one with a metadata document.' },
    });
  return client;
}

/** Not verified yet: it only says which project has to trust the issuer. */
function claimedResource(assertion: string): string | null {
  const resource = readJwt(assertion)?.claims.resource;
  const [only] = Array.isArray(resource) ? resource : [resource];
  return typeof only === 'string' ? only : null;
}

async function verify(app: App, { project, client, resource }: Target, assertion: string, { parameters }: Request) {
  const { public_url } = app.config;
  const isSame = (claimed: string) => resource !== null && isSameResource(public_url, project, claimed, resource);
  return verifyIdJag<IdJagProvider>({
    token: assertion,
    audience: public_url,
    now: app.now(),
    findProvider: (iss) => findTrusted(app, project, iss),
    findKeys: (provider, algorithm, kid) => findIssuerKeys(app, provider, algorithm, kid),
    resourceProblem: (claimed) => (claimed === null || isSame(claimed) ? null : 'It is for another resource.'),
    clientProblem: (client_id) => (client_id === client.client_id ? null : 'It is for another client.'),
    isUsed: ({ issuer }, jti) =>
      app.permits.run(project, () => isJwtUsed(app, { project_id: project.id, issuer, jti })),
    scopeProblem: (provider, scope) => scopeProblem(provider, scope, parameters.get('scope') ?? null),
  });
}

async function findTrusted(app: App, project: Project, iss: string): Promise<IdJagProvider | string> {
  const providers = await app.permits.run(project, () => findEnabledProviders(app, project.id));
  const ofIssuer = providers.filter((provider) => mayBeIssuer(provider, iss));
  const provider = ofIssuer.find((each) => trustProblem(each) === null) ?? ofIssuer[0];
  return provider
    ? trustProvider(app, project, provider, iss)
    : 'The project has no enabled provider with this issuer.';
}

/** The client is told no more than that the grant is invalid. */
async function refused(
  app: App,
  { project, client }: Target,
  { ip, http_request }: Request,
  { failed, problem }: { failed: IdJagCheck; problem: string },
): Promise<Error> {
  const refusal = failed === 'resource' ? refuse.oauthInvalidTarget() : refuse.oauthInvalidGrant();
  recordTrace(app, {
    project_id: project.id,
    request_id: http_request.id,
    method: 'POST',
    route: '/api/v1/oauth/token',
    status: refusal.status,
    caller_kind: 'oauth_client',
    account_id: null,
    api_key_id: null,
    session_id: null,
    member_id: null,
    integration_id: client.integration_id,
    refusal: {
      code: refusal.code,
      reason: `id_jag_${failed}`,
      remedy: `The assertion failed the check ${failed}. ${problem}`,
    },
    refused_in: 'request',
  });
  return countedRefusal(app, ip, () => refusal);
}

async function mint(
  app: App,
  { project, client, resource }: Target,
  { parameters, ip }: Request,
  { verified, toolset_id }: { verified: Verified; toolset_id: string | null },
) {
  const { provider, claims } = verified;
  const scope_toolsets = await findScopeToolsets(app, project);
  const access = accessOf(verified, parameters.get('scope') ?? null, scope_toolsets, app.now());
  if (access.scopes.length === 0) throw refuse.oauthInvalidGrant();
  const has_hooks = await app.permits.run(project, () => hasHooks(app, project.id));
  const kept = claimsToKeep(project.settings.member_access, claimsOf(verified), has_hooks);
  const seen = await memberToolsets(app, project, kept);
  const made = await app.permits.run(project, () =>
    transact(app, async (app) => {
      const { jti, exp, sub } = verified;
      const use = { project_id: project.id, issuer: provider.issuer, jti, expires_at_ms: exp * 1000 + 5_000 };
      if (!(await useJwtOnce(app, use))) return null;
      const email = claims.email_verified === true && typeof claims.email === 'string' ? claims.email : null;
      const member_id = await memberOf(app, project, provider, { subject: sub, email }).catch(toInvalidGrant);
      const { kind: client_kind, client_id, name: client_name, integration_id } = client;
      return createUsedGrant(app, project, {
        ...{ member_id, provider_id: provider.id, client_kind, client_id, client_name, integration_id },
        ...{
          scopes: access.scopes,
          toolsets: access.toolsets,
          resource,
          claims: JSON.stringify(kept),
        },
      });
    }),
  );
  if (!made) throw await countedRefusal(app, ip, refuse.oauthInvalidGrant);
  const session = {
    scopes: access.scopes,
    toolset_ids: seen?.ids ?? null,
    granted_toolset_ids: null,
    url_toolset_id: toolset_id,
  };
  const { grant, code_hash } = made;
  const tokens = await app.permits.run(project, () =>
    createGrantedSession(app, grant, { kind: 'code', hash: code_hash }, session),
  );
  if (!tokens) throw refuse.oauthInvalidGrant();
  const { refresh_token: _, ...issued } = tokens;
  const granted = { toolsets: access.toolsets, created_at: new Date(app.now()).toISOString() };
  return {
    token_type: 'Bearer' as const,
    ...issued,
    scope: scopeText(access.scopes, grantLayer(granted, scope_toolsets, null)),
  };
}

/** A URL that is not valid, or belongs to another issuer: there is no page that could explain it. */
function toInvalidGrant(error: unknown): never {
  throw error instanceof ApiError && error.status === 403 ? refuse.oauthInvalidGrant({ cause: error }) : error;
}

/** An email address only if the issuer has verified it. */
function claimsOf({ claims }: Verified): Record<string, unknown> {
  const { email, ...others } = claims;
  return claims.email_verified === true ? { ...others, email } : others;
}

function accessOf(
  { provider, claims }: Verified,
  requested: string | null,
  scope_toolsets: readonly ScopeToolset[],
  now: number,
) {
  const allowed = allowedScopes((claims.scope as string | undefined) ?? null, requested);
  const toolset_ids = requestedToolsets(allowed, scope_toolsets);
  const scopes = grantedScopes(requestedScopes(allowed, toolset_ids), provider.permissions);
  const at = new Date(now).toISOString();
  return { scopes, toolsets: toolset_ids && Object.fromEntries(toolset_ids.map((id) => [id, at])) };
}
