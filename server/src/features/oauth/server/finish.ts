// GET /oauth/callback/{provider id}: the person comes back from the provider. Who it is becomes a member, the provider's tokens
// become the member's connection, and the client gets a code.

import { grantedScopes } from '@toolgate/contract/permissions.ts';
import { claimsToKeep } from '@toolgate/contract/projects/toolsets-of-member.ts';
import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { clientNetwork } from '../../../limits/client-network.ts';
import { ProviderError } from '../../../openid/provider-error.ts';
import { hashToken, randomSecret } from '../../../secrets/tokens.ts';
import { hasHooks } from '../../policies/hooks/has-hooks.ts';
import { findProject } from '../../projects/projects/find.ts';
import { saveConnection } from '../connections/save.ts';
import { claimFor } from '../grants/approvals.ts';
import { createGrant } from '../grants/create.ts';
import { findProvider } from '../providers/find.ts';
import type { Provider } from '../providers/provider.ts';
import { finishSignIn, type UpstreamIdentity } from '../providers/sign-in.ts';
import { redirectWithError, reportToClient } from './authorize.ts';
import { browserHash, type Visitor } from './browser.ts';
import { EXPIRED } from './decide.ts';
import { failedAtProvider, sentRequest } from './go-to-provider.ts';
import { memberOf } from './member-of.ts';
import { findQuestion, pageOf } from './open-request.ts';
import { type Outcome, redirectTo, showPage } from './outcome.ts';
import { withParameters } from './redirect-uri.ts';
import { deleteRequest, type SignInRequest, takeState } from './request-store.ts';

export async function finish(app: App, visitor: Visitor, provider_id: string, query: string): Promise<Outcome> {
  const callback = new URLSearchParams(query);
  const state = callback.get('state') ?? '';
  const page_secret = randomSecret(32);
  const request = await useState(app, visitor, { state, provider_id, page_secret });
  const network = clientNetwork(visitor.ip);
  const { project, provider } = await app.lookups.run(network, () => findTarget(app, request, provider_id));
  const attempt = { request, page_secret, provider };

  let identity: UpstreamIdentity;
  try {
    identity = await finishSignIn(app, provider, callback, sentRequest(app, visitor, provider, state));
  } catch (error) {
    if (!(error instanceof ProviderError) || error.error_code !== 'access_denied')
      return failedAtProvider(app, attempt, error);
    await app.lookups.run(network, () => deleteRequest(app.database, request));
    return redirectWithError(app, request, refuse.oauthAccessDenied());
  }
  return reportToClient(app, request, () => app.permits.run(project, () => complete(app, attempt, project, identity)));
}

/** The state is used up, whatever happens next. */
async function useState(
  app: App,
  visitor: Visitor,
  { state, provider_id, page_secret }: { state: string; provider_id: string; page_secret: string },
): Promise<SignInRequest> {
  const secrets = {
    state_hash: hashToken(state),
    browser_hash: browserHash(visitor),
    provider_id,
    page_hash: hashToken(page_secret),
    now: new Date(app.now()).toISOString(),
  };
  const request = await app.lookups.run(clientNetwork(visitor.ip), () => takeState(app.database, secrets));
  if (!request) throw refuse.signInExpired({ details: { remedy: EXPIRED } });
  return request;
}

async function findTarget(
  app: App,
  { project_id }: SignInRequest,
  provider_id: string,
): Promise<{ project: Project; provider: Provider }> {
  const [project, provider] = [await findProject(app, project_id), await findProvider(app, project_id, provider_id)];
  if (!project || !provider?.is_enabled)
    throw refuse.signInExpired({
      details: { remedy: 'This provider is no longer available. Start again in the app.' },
    });
  return { project, provider };
}

/** All of it or nothing. Where the person has not approved the client themselves, they are asked. */
async function complete(
  app: App,
  { request, page_secret, provider }: { request: SignInRequest; page_secret: string; provider: Provider },
  project: Project,
  identity: UpstreamIdentity,
): Promise<Outcome> {
  const scopes = grantedScopes(request.scopes, provider.permissions);
  if (scopes.length === 0) throw refuse.oauthInvalidScope();
  const outcome = await transact(app, async (app) => {
    const { project_id } = request;
    const member_id = await memberOf(app, project, provider, identity);
    const approval = await claimFor(app, request, member_id);
    if (!approval) return null;
    if (!(await deleteRequest(app.database, request))) throw refuse.signInExpired({ details: { remedy: EXPIRED } });
    await saveConnection(app, { project_id, provider_id: provider.id, member_id, tokens: identity.tokens });
    const { client_kind, client_id, client_name, integration_id, redirect_uri, code_challenge, resource } = request;
    const client = { client_kind, client_id, client_name, integration_id, redirect_uri, code_challenge, resource };
    const { member_access } = project.settings;
    const claims = claimsToKeep(member_access, identity.claims, await hasHooks(app, project_id));
    // Never every tool where only toolsets were asked for, or approved.
    const toolsets = approval.toolsets ?? (request.toolset_ids === null ? null : {});
    const granted = { member_id, provider_id: provider.id, scopes, toolsets, claims: JSON.stringify(claims) };
    const code = await createGrant(app, project, { ...client, ...granted });
    return redirectTo(withParameters(redirect_uri, { code, state: request.state, iss: app.config.public_url }));
  });
  if (outcome) return outcome;
  const question = await findQuestion(app, request);
  return showPage(pageOf(request, { project, providers: [provider], page_secret, question }));
}
