// Checks an MCP server before it is saved. No network.

import { hasPlaceholder } from '@toolgate/contract/custom-tools/header-template.ts';
import type { NewMcpServer } from '@toolgate/contract/mcp-servers/mcp-server.ts';
import { refuseUnlessAdminInProduction } from '../../../access/admin-in-production.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { invalidField } from '../../../errors/errors.ts';
import { checkIssuer } from '../../../openid/issuer.ts';
import type { AllowList } from '../../../outbound/allow-list.ts';
import { checkCertificateUse } from '../../activity/certificates/check-use.ts';
import { ensureSigningKey } from '../../projects/signing-keys/signing-key.ts';
import { checkAuth, checkScope, checkUrl, hasSecret, type SecretState } from '../catalogue/auth-rules.ts';
import { checkHeaders } from '../catalogue/check-headers.ts';
import { approvalAfter, sendsMemberTokens } from '../catalogue/member-approval.ts';
import type { ServerRow } from './mcp-server.ts';

export type CheckedFields = Pick<NewMcpServer, 'url' | 'auth_strategy' | 'auth_config' | 'headers' | 'certificate_id'>;

/** The protocol sets these itself. */
const OWN_HEADERS = /^(?:mcp-.*|accept|content-type|last-event-id)$/i;

export type Rules = { egress_allow: AllowList };

export function checkServer(app: App, server: CheckedFields, secret: SecretState): void {
  const rules = { egress_allow: app.egress.allowed() };
  checkUrl(rules, 'url', server.url);
  for (const [name, value] of Object.entries(server.headers)) {
    if (OWN_HEADERS.test(name)) throw invalidField(`headers.${name.slice(0, 128)}`, 'is set by the protocol');
    if (hasPlaceholder(value)) throw invalidField(`headers.${name.slice(0, 128)}`, 'must be a fixed value');
  }
  checkHeaders(server.headers);
  if (server.auth_strategy === 'member_oauth') checkMemberAuth(rules, server, secret);
  else checkAuth(rules, { ...server, require_member: true }, secret);
}

const ofMemberAuth = ['client_id', 'issuer', 'scope'];

/**
 * Without a client id toolgate is a public client: its secret would be of nobody. A client is registered at one issuer: an MCP server must
 * not say who gets its secret.
 */
function checkMemberAuth(rules: Rules, { auth_config }: CheckedFields, secret: SecretState): void {
  const other = Object.keys(auth_config).find((field) => !ofMemberAuth.includes(field));
  if (other !== undefined) throw invalidField(`auth_config.${other}`, 'is not used by member_oauth');
  checkScope(auth_config.scope);
  if (secret.exists && auth_config.client_id === undefined)
    throw invalidField('auth_config.client_id', 'is required with encrypted_auth_secret');
  if (auth_config.issuer !== undefined) requireIssuer(rules, 'auth_config.issuer', auth_config.issuer);
  else if (auth_config.client_id !== undefined)
    throw invalidField('auth_config.issuer', 'is required with client_id: the client is registered there');
}

/** Refuses what cannot be an issuer. Returns it as it is pinned. */
export function requireIssuer({ egress_allow }: Rules, field: string, given: string): string {
  const checked = checkIssuer(given, egress_allow);
  if ('problem' in checked) throw invalidField(field, checked.problem);
  return checked.issuer;
}

/** A stored secret is sent only where it was given for: with member_oauth to the issuer, else to the server or the token endpoint. */
export function refuseToMoveServerSecret(old: CheckedFields, saved: CheckedFields): void {
  const isOfMembers = saved.auth_strategy === 'member_oauth';
  if (!hasSecret(saved.auth_strategy) && !isOfMembers) return;
  const changed = isOfMembers
    ? saved.auth_config.issuer !== old.auth_config.issuer && 'auth_config.issuer'
    : (new URL(saved.url).origin !== new URL(old.url).origin && 'url') ||
      (saved.auth_config.token_url !== old.auth_config.token_url && 'auth_config.token_url');
  if (changed)
    throw invalidField(
      'encrypted_auth_secret',
      `must be sent again when ${changed} changes, because it would be sent there`,
    );
}

const certificateUser = ({ certificate_id, url, auth_config }: CheckedFields) => ({
  certificate_id,
  hosts: { url, 'auth_config.token_url': auth_config.token_url },
});

/** As of tools: in production admins alone decide where tokens of members, and JWTs about them, go, and everywhere what gets a certificate. In the transaction that saves it. */
export async function checkServerDestination(
  app: App,
  caller: Caller,
  old: CheckedFields | null,
  saved: CheckedFields,
): Promise<void> {
  await checkCertificateUse(app, caller, old && certificateUser(old), certificateUser(saved));
  if (!sendsMemberTokens(saved)) return;
  const field = changedField(old, saved);
  if (field === undefined) return;
  refuseUnlessAdminInProduction(caller, { field });
  await ensureSigningKey(app, projectOf(caller).id);
}

/** What is stored with a save. `given`: what the caller asks for. */
export const serverApproval = (caller: Caller, old: ServerRow | null, saved: CheckedFields, given?: boolean): boolean =>
  approvalAfter(caller, { old, saved, field: changedField(old, saved), given });

/** The whole URL: at one host there may be servers of different people. */
function changedField(old: CheckedFields | null, saved: CheckedFields): string | undefined {
  if (old?.auth_strategy !== saved.auth_strategy) return 'auth_strategy';
  if (old.url !== saved.url) return 'url';
  const isOfMembers = saved.auth_strategy === 'member_oauth';
  const names = isOfMembers ? (['issuer', 'client_id', 'scope'] as const) : (['audience', 'token_url'] as const);
  const changed = names.find((name) => old.auth_config[name] !== saved.auth_config[name]);
  return changed && `auth_config.${changed}`;
}
