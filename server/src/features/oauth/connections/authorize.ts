// POST /projects/{id}/oauth-connections/authorize: the customer's backend asks for a URL at which a member whom it identifies connects
// an account. Only a key of an integration that the member came through may vouch for them.

import type { ConnectionAddress, ConnectionRequest } from '@toolgate/contract/oauth-connections/oauth-connection.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { invalidField, refuse } from '../../../errors/errors.ts';
import { findMember, hasSessionOf } from '../../members/member-sessions/find.ts';
import { findAnyProvider } from '../providers/find.ts';
import { createOneTimeAddress } from './connect-link.ts';

export async function authorizeConnection(
  app: App,
  caller: Caller,
  { member_id, provider_id }: ConnectionRequest,
): Promise<ConnectionAddress> {
  const { id: project_id } = projectOf(caller);
  const integration_id = caller.kind === 'api_key' ? caller.integration_id : null;
  if (integration_id === null) throw refuse.insufficientPermissions({ details: { reason: 'not_an_integration_key' } });
  const member = await findMember(app, project_id, member_id);
  if (!member) throw invalidField('member_id', 'must be the id of a member of this project');
  const provider = await findAnyProvider(app, project_id, provider_id);
  if (!provider?.is_enabled) throw invalidField('provider_id', 'must be the id of an enabled provider of this project');
  if (!(await hasSessionOf(app, project_id, { member_id, integration_id })))
    throw refuse.insufficientPermissions({ details: { field: 'member_id', reason: 'not_an_integration_key' } });
  const address = await createOneTimeAddress(app, { project_id, member_id, provider_id });
  return { object: 'oauth_connection_address', member_id, provider_id, ...address };
}
