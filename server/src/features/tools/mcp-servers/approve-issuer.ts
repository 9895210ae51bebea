// An admin approves where the members of an MCP server sign in: the issuer and its endpoints, exactly as they are given.

import { isDeepStrictEqual } from 'node:util';
import type { McpServer, ServerIssuer } from '@toolgate/contract/mcp-servers/mcp-server.ts';
import type { Caller } from '../../../access/caller.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { invalidField } from '../../../errors/errors.ts';
import { normalizeIssuer } from '../../../openid/issuer.ts';
import { pinIssuer } from '../../oauth/providers/server-issuer.ts';
import { checkUrl } from '../catalogue/auth-rules.ts';
import { requireIssuer } from './check.ts';
import { auditServer, recordChange, type ServerRow, showServer } from './mcp-server.ts';
import { lockServer, selectServer, updateAuthConfig } from './store.ts';

export async function approveIssuer(app: App, caller: Caller, id: string, input: ServerIssuer): Promise<McpServer> {
  const approved = checkApproved(app, input);
  return withLockedRow(app, caller, id, lockServer, async (app, row) => {
    if (row.auth_strategy !== 'member_oauth') throw invalidField('issuer', 'is only for MCP servers with member_oauth');
    const shown = showServer(row);
    if (shown.found_issuer === null && isDeepStrictEqual(shown.pinned_issuer, approved)) return shown;
    await nameIssuer(app, row, approved.issuer);
    await pinIssuer(app, row, approved);
    const saved = (await selectServer(app.database, row.project_id, id)) as ServerRow;
    const data = showServer(saved);
    const [before, after] = [auditServer(row), auditServer(saved)];
    await recordChange(app, caller, { type: 'mcp_server.issuer_approved', target_id: id, data, before, after });
    return data;
  });
}

/** As they are pinned. */
function checkApproved(app: App, { authorization_endpoint, token_endpoint, issuer }: ServerIssuer): ServerIssuer {
  const rules = { egress_allow: app.egress.allowed() };
  const endpoint = (field: 'authorization_endpoint' | 'token_endpoint', url: string) => {
    checkUrl(rules, field, url);
    return new URL(url).href;
  };
  return {
    issuer: requireIssuer(rules, 'issuer', issuer),
    authorization_endpoint: endpoint('authorization_endpoint', authorization_endpoint),
    token_endpoint: endpoint('token_endpoint', token_endpoint),
  };
}

/** Where an issuer is named in the settings, they follow what was approved. A stored secret is not sent to another issuer than it was given for. */
async function nameIssuer(app: App, row: ServerRow, issuer: string): Promise<void> {
  const { client_id, issuer: named } = row.auth_config;
  if (client_id === undefined && named === undefined) return;
  if (named !== undefined && normalizeIssuer(named) === issuer) return;
  if (row.auth_secret !== null)
    throw invalidField('issuer', 'must be auth_config.issuer, because the stored secret belongs to it', {
      reason: 'secret_of_other_issuer',
    });
  await updateAuthConfig(app.database, row, { ...row.auth_config, issuer });
}
