// The secret of an MCP server: sealed for its row, its strategy and the host that it was given for.

import type { App } from '../../../app.ts';
import { type ServerOwner, secretOwnerOf } from '../calls/mcp/credential-owner.ts';
import { hasSecret } from '../catalogue/auth-rules.ts';
import { isSameSecret } from '../catalogue/replace-secret.ts';
import { secretContext } from '../catalogue/secret-context.ts';
import type { ServerRow } from './mcp-server.ts';

export async function sealSecret(app: App, server: ServerOwner, secret: string | null): Promise<string | null> {
  if (!secret || !(hasSecret(server.auth_strategy) || server.auth_strategy === 'member_oauth')) return null;
  return app.secrets.seal(app.database, server.project_id, secretContext(secretOwnerOf(server), 'auth_secret'), secret);
}

export const isSameServerSecret = (app: App, row: ServerRow, secret: string | null): Promise<boolean> =>
  isSameSecret(
    app,
    { ...secretOwnerOf(row), project_id: row.project_id, auth_secret: row.auth_secret },
    secret || null,
  );
