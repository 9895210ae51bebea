// Ends a connection: its tokens are deleted here, then revoked at the provider if it has an endpoint for that.

import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { ProviderError } from '../../../openid/provider-error.ts';
import { SecretUnreadable } from '../../../secrets/aes-gcm.ts';
import type { MemberRef } from '../../members/members/delete.ts';
import { findAnyProvider } from '../providers/find.ts';
import { projectOfProvider } from '../providers/provider.ts';
import { revokeToken } from '../providers/tokens.ts';
import { type ConnectionRow, recordChange, showConnection } from './connection.ts';
import { openToken } from './seal-tokens.ts';
import { deleteConnectionRow, deleteConnectionsOf, lockConnection } from './store.ts';

/** Do not hold a database permit: it waits for the provider. */
export async function revokeConnection(app: App, caller: Caller, member_id: string, id: string): Promise<void> {
  const project = projectOf(caller);
  const row = await app.permits.run(project, () => deleteConnection(app, caller, project.id, { member_id, id }));
  await revokeAtProvider(app, row);
}

/** When a member is deleted. */
export async function deleteConnectionsOfMember({ database }: App, { id, project_id }: MemberRef) {
  const rows = await deleteConnectionsOf(database, { project_id, member_id: id });
  return {
    ended: { connections: rows.length },
    async afterwards(app: App) {
      await Promise.all(rows.map((row) => revokeAtProvider(app, row)));
    },
  };
}

async function revokeAtProvider(app: App, row: ConnectionRow): Promise<void> {
  await revokeUpstream(app, row).catch((error: unknown) => {
    // Here it has ended. Neither a provider that is down nor a damaged token prevents that.
    if (!(error instanceof ProviderError) && !(error instanceof SecretUnreadable)) throw error;
    const { project_id, id: connection_id } = row;
    app.log.warn({ project_id, connection_id, reason: error.message }, 'a token could not be revoked at its provider');
  });
}

async function deleteConnection(
  app: App,
  caller: Caller,
  project_id: string,
  { member_id, id }: { member_id: string; id: string },
): Promise<ConnectionRow> {
  return transact(app, async (app) => {
    const row = await lockConnection(app.database, project_id, id);
    if (row?.member_id !== member_id) throw refuse.notFound();
    await deleteConnectionRow(app.database, project_id, id);
    app.changes.add(project_id);
    const data = showConnection(row);
    const change = { type: 'oauth_connection.revoked' as const, target_id: id, data, before: data, after: null };
    await recordChange(app, caller, change);
    return row;
  });
}

/** The refresh token if there is one: with it the provider ends its access tokens too (RFC 7009 §2.1). */
async function revokeUpstream(app: App, row: ConnectionRow): Promise<void> {
  const provider = await findAnyProvider(app, row.project_id, row.provider_id);
  if (!provider) return;
  const token = await app.permits.run(projectOfProvider(provider), async () =>
    row.refresh_token === null ? openToken(app, row, 'access_token') : openToken(app, row, 'refresh_token'),
  );
  await revokeToken(app, provider, token as string);
}
