// Seals and opens the tokens of a connection. They are bound to the member and the provider: in the row of another member they
// cannot be opened.

import type { App } from '../../../app.ts';
import type { SealContext } from '../../../secrets/envelope.ts';
import type { UpstreamTokens } from '../providers/tokens.ts';
import type { ConnectionRow } from './connection.ts';
import type { SealedTokens } from './store.ts';

type Owner = Pick<ConnectionRow, 'id' | 'project_id' | 'provider_id' | 'member_id'>;
type TokenColumn = 'access_token' | 'refresh_token';

function context({ id, provider_id, member_id }: Owner, column: TokenColumn): SealContext {
  const destination = JSON.stringify([provider_id, member_id]);
  return { table: 'oauth_connections', column, row_id: id, destination };
}

export async function sealTokens(app: App, owner: Owner, tokens: UpstreamTokens): Promise<SealedTokens> {
  const seal = (column: TokenColumn, text: string) =>
    app.secrets.seal(app.database, owner.project_id, context(owner, column), text);
  const { access_token, refresh_token, scope, expires_at } = tokens;
  return {
    access_token: await seal('access_token', access_token),
    refresh_token: refresh_token && (await seal('refresh_token', refresh_token)),
    scope,
    expires_at,
    updated_at: new Date(app.now()).toISOString(),
  };
}

export async function openToken(app: App, row: ConnectionRow, column: TokenColumn): Promise<string | null> {
  const sealed = row[column];
  if (sealed === null) return null;
  return (await app.secrets.open(app.database, row.project_id, context(row, column), sealed)).toString();
}
