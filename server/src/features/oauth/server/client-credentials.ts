// grant_type=client_credentials (RFC 6749 4.4): a machine gets a session for itself, with the scope `mcp` only. There is no refresh
// token: it can ask again.

import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { createClientSession } from '../client-sessions/sessions.ts';
import type { AuthenticatedClient, TokenRequest } from './client-authentication.ts';
import { type CountedRequest, countAgainstPlan } from './count-token-request.ts';
import { findResourceToolset, findTarget } from './resource.ts';

const SCOPE = 'mcp';

export async function issueForClient(
  app: App,
  { registered }: AuthenticatedClient,
  request: TokenRequest & CountedRequest,
) {
  if (!registered?.grant_types.includes('client_credentials')) throw refuse.oauthUnauthorizedClient();
  const { parameters, ip } = request;
  if (!(parameters.get('scope') ?? SCOPE).split(' ').includes(SCOPE))
    throw refuse.oauthInvalidScope({ details: { remedy: 'Request mcp: a machine cannot get anything else.' } });
  const resource = parameters.get('resource') ?? null;
  const project = await findTarget(app, registered, { resource, ip });
  const toolset_id = await findResourceToolset(app, project, resource);
  await countAgainstPlan(app, project, request);
  const session = await app.permits.run(project, () => createClientSession(app, registered, toolset_id));
  if (!session) throw refuse.oauthInvalidClient();
  return { token_type: 'Bearer' as const, ...session, scope: SCOPE };
}
