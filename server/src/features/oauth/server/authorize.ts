// GET /oauth/authorize: the order of the checks. Until the redirect URI is known to be the client's, a problem is shown as a page
// and nobody is redirected; after that it is reported to the client (RFC 6749 4.1.2.1). docs/design/oauth.md explains why.

import { isRegisteredRedirectUri } from '@toolgate/contract/oauth-clients/redirect-uri.ts';
import type { App } from '../../../app.ts';
import { ApiError, docsUrl, refuse } from '../../../errors/errors.ts';
import { findScopeToolsets } from '../../policies/toolsets/slugs.ts';
import { findEnabledProviders } from '../providers/find.ts';
import { checkChallenge, checkResponseType, checkScopes } from './authorize-checks.ts';
import type { Visitor } from './browser.ts';
import { findAnyClient, type OAuthClient } from './clients.ts';
import { describeError, oauthCode } from './oauth-error.ts';
import { openRequest } from './open-request.ts';
import { type Outcome, redirectTo } from './outcome.ts';
import { type Parameters, readParameters, requireParameter } from './parameters.ts';
import { withParameters } from './redirect-uri.ts';
import { findResourceToolset, findTarget } from './resource.ts';

export async function authorize(app: App, visitor: Visitor, query: string): Promise<Outcome> {
  const parameters = readParameters(query);
  const client = await findRequestingClient(app, visitor, parameters);
  const redirect_uri = checkRedirectUri(client, parameters);

  return reportToClient(app, { redirect_uri, state: parameters.get('state') ?? null }, async () => {
    if (!client.grant_types.includes('authorization_code')) throw refuse.oauthUnauthorizedClient();
    checkResponseType(parameters);
    const code_challenge = checkChallenge(client, parameters);
    const resource = parameters.get('resource') ?? null;
    const project = await findTarget(app, client, { resource, ip: visitor.ip });
    // Of a toolset that the project does not have, nothing could be granted.
    await findResourceToolset(app, project, resource);
    const providers = await app.permits.run(project, () => findEnabledProviders(app, project.id));
    if (providers.length === 0) throw refuse.oauthNoProvider();
    const asked = checkScopes(parameters, providers, await findScopeToolsets(app, project));

    return openRequest(app, visitor, {
      project,
      client,
      providers,
      redirect_uri,
      state: parameters.get('state') ?? null,
      code_challenge,
      resource,
      ...asked,
    });
  });
}

async function findRequestingClient(app: App, visitor: Visitor, parameters: Parameters): Promise<OAuthClient> {
  const client_id = requireParameter(parameters, 'client_id');
  const client = await findAnyClient(app, client_id, visitor.ip);
  if (!client) throw refuse.unknownOAuthClient({ details: { field: 'client_id' } });
  return client;
}

/** It may be left out if the client has only one (RFC 6749 3.1.2.3). */
function checkRedirectUri(client: OAuthClient, parameters: Parameters): string {
  const [only, ...more] = client.redirect_uris;
  const redirect_uri = parameters.get('redirect_uri') ?? (more.length === 0 ? only : undefined);
  if (redirect_uri !== undefined && isRegisteredRedirectUri(client, redirect_uri)) return redirect_uri;
  const remedy = 'Its redirect_uri is not one that the app registered. They must match exactly.';
  throw refuse.redirectUriNotRegistered({ details: { field: 'redirect_uri', remedy } });
}

type Client = { redirect_uri: string; state: string | null };

/** Refusals about the request go to the client; a busy or broken server shows its own page. */
export async function reportToClient(app: App, client: Client, work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || oauthCode(error) === null) throw error;
    return redirectWithError(app, client, error);
  }
}

export function redirectWithError({ config }: App, { redirect_uri, state }: Client, refusal: ApiError): Outcome {
  const error = oauthCode(refusal);
  const error_description = describeError(refusal);
  const error_uri = docsUrl(config.public_url, refusal.anchor);
  const iss = config.public_url;
  return redirectTo(withParameters(redirect_uri, { error, error_description, error_uri, state, iss }));
}
