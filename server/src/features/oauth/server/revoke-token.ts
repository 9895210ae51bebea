// POST /oauth/revoke (RFC 7009): a client gives up a token. A refresh token ends its grant, an access token only itself. A token that
// is unknown, or another client's, changes nothing and gets the same response.

import type { App } from '../../../app.ts';
import { clientNetwork } from '../../../limits/client-network.ts';
import { revokeSessions } from '../../members/member-sessions/revoke.ts';
import { findProject } from '../../projects/projects/find.ts';
import { endClientSession } from '../client-sessions/sessions.ts';
import { endGrant } from '../grants/revoke.ts';
import { authenticateClient, type TokenRequest } from './client-authentication.ts';
import { findIssued } from './issued-token.ts';
import { requireParameter } from './parameters.ts';

export async function revokeToken(app: App, request: TokenRequest): Promise<void> {
  const client = await authenticateClient(app, request);
  const token = requireParameter(request.parameters, 'token');
  const issued = await app.lookups.run(clientNetwork(request.ip), () => findIssued(app, client, token));
  if (!issued) return;
  const owner = issued.kind === 'client_session' ? issued.session : issued.grant;
  const project = await findProject(app, owner.project_id);
  if (!project) return;
  if (issued.kind === 'client_session') return app.permits.run(project, () => endClientSession(app, issued.session));
  const { grant } = issued;
  const member = { id: grant.member_id, project_id: project.id, external_id: grant.external_id };
  await app.permits.run(project, () =>
    issued.kind === 'refresh_token'
      ? endGrant(app, project, grant)
      : revokeSessions(app, 'system', member, { only: { id: issued.session.id }, owner: project }),
  );
}
