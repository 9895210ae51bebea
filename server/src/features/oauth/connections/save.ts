// Stores the tokens of a sign-in as the member's connection to the provider: one for each member and provider.

import type { OAuthConnection } from '@toolgate/contract/oauth-connections/oauth-connection.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { findAnyProvider } from '../providers/find.ts';
import { holdsPin } from '../providers/server-issuer.ts';
import type { UpstreamTokens } from '../providers/tokens.ts';
import { type ConnectionRow, recordChange, showConnection } from './connection.ts';
import { scheduleRefresh } from './schedule-refresh.ts';
import { sealTokens } from './seal-tokens.ts';
import { insertConnection, lockMember, selectConnection, updateTokens } from './store.ts';

export type NewConnection = {
  project_id: string;
  provider_id: string;
  member_id: string;
  tokens: UpstreamTokens;
  /** Epoch milliseconds. Refused if the connection was saved after this: its sign-in link was used already. */
  not_saved_since?: number;
  /** Where the tokens are from, if the provider is of an MCP server (pinText). Refused if it is another authorization server now. */
  pin?: string;
};

/** Joins the transaction of the sign-in if there is one. */
export async function saveConnection(app: App, input: NewConnection): Promise<OAuthConnection> {
  const { project_id, provider_id, member_id, tokens, pin, not_saved_since = Number.POSITIVE_INFINITY } = input;
  return transact(app, async (app) => {
    const provider = await findAnyProvider(app, project_id, provider_id);
    if (!provider || !(await lockMember(app.database, project_id, member_id))) throw refuse.notFound();
    if (pin !== undefined && !(await holdsPin(app, provider, pin))) throw refuse.connectLinkInvalid();
    const existing = await selectConnection(app.database, input);
    if (existing && Date.parse(existing.updated_at) > not_saved_since) throw refuse.connectLinkInvalid();

    const owner = { id: existing?.id ?? newId('con'), project_id, provider_id, member_id };
    const sealed = await sealTokens(app, owner, tokens);
    sealed.refresh_token ??= keptRefreshToken(existing);
    await scheduleRefresh(app, provider.fairness_key, { ...owner, ...sealed });
    const row = existing
      ? ((await updateTokens(app.database, existing, sealed)) as ConnectionRow)
      : await insertConnection(app.database, { ...owner, ...sealed });
    app.changes.add(project_id);
    const data = showConnection(row);
    if (!existing) {
      const project = { id: project_id, organization_id: provider.organization_id };
      await recordChange(app, 'system', { type: 'oauth_connection.created', target_id: row.id, data }, project);
    }
    return data;
  });
}

/** Google gives a refresh token with the first sign-in only, and it stays valid. */
function keptRefreshToken(existing: ConnectionRow | undefined): string | null {
  return existing?.status === 'active' ? existing.refresh_token : null;
}
