// The settings of single sign-on of an organization: read, replace, delete. The routes are for owners only.

import type { OrganizationSso, OrganizationSsoInput } from '@toolgate/contract/organizations/sso.ts';
import { type AccountCaller, accountOf, type Caller, permitUser } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { invalidField, refuse } from '../../../errors/errors.ts';
import { checkIssuer } from '../../../openid/issuer.ts';
import type { Actor } from '../../activity/audit/append.ts';
import { recordOfOrganization } from '../../activity/audit/record.ts';
import { requireRecentAuthentication } from '../accounts/recent-authentication.ts';
import { deletePasswordSessions, deleteSsoSessions } from '../accounts/session-store.ts';
import { hasBreakGlass, lockPeople, selectSecretAccount } from '../accounts/store.ts';
import { refuseUnproven } from './domains.ts';
import { callbackUrl, secretContext } from './provider.ts';
import { deleteSignIns } from './request-store.ts';
import { allowPasswordsIn, deleteSsoRow, replaceDomains, type SsoRow, selectSso, upsertSso } from './store.ts';

export async function readSso(app: App, caller: Caller): Promise<OrganizationSso> {
  const row = await selectSso(app.database, accountOf(caller).organization_id);
  if (!row) throw refuse.notFound();
  return showSso(app, row);
}

/** Do not hold a database permit: it waits for the DNS. */
export async function setSso(app: App, given: Caller, input: OrganizationSsoInput): Promise<OrganizationSso> {
  const caller = accountOf(given);
  requireRecentAuthentication(app, caller);
  const issuer = resolveIssuer(app, input.issuer);
  const held = await app.permits.run(permitUser(caller), () => selectSso(app.database, caller.organization_id));
  await refuseUnproven(app, caller, newDomains(input, held));
  return app.permits.run(permitUser(caller), () => save(app, caller, { ...input, issuer }, held?.domains ?? []));
}

/** Returns the issuer to store. */
export function resolveIssuer(app: App, given: string): string {
  const checked = checkIssuer(given, app.egress.allowed());
  if ('problem' in checked) throw invalidField('issuer', checked.problem, { value: given.slice(0, 64) });
  return checked.issuer;
}

/** What the organization has was proven when it was added. */
export const newDomains = ({ domains }: { domains: string[] }, held: SsoRow | undefined) =>
  domains.filter((domain) => !held?.domains.includes(domain));

/** `proven`: domains that needed no proof because the organization had them a moment ago. */
function save(
  app: App,
  caller: AccountCaller,
  input: OrganizationSsoInput,
  proven: string[],
): Promise<OrganizationSso> {
  const { organization_id } = caller;
  return transact(app, async (app) => {
    await lockPeople(app.database, organization_id);
    const before = await selectSso(app.database, organization_id);
    // Another request has removed a domain since: it may belong to somebody else now.
    if (proven.some((domain) => input.domains.includes(domain) && !before?.domains.includes(domain)))
      throw refuse.ssoDomainTaken({ details: { field: 'domains' } });
    if (input.is_required && !(await hasBreakGlass(app.database, organization_id))) throw refuse.ssoBreakGlassMissing();
    const { domains, client_secret, role_map, ...fields } = input;
    const sealed = await sealSecret(app, { organization_id, issuer: input.issuer, client_secret, before });
    const now = new Date(app.now()).toISOString();
    const row = { organization_id, ...fields, role_map: JSON.stringify(role_map), client_secret: sealed };
    await upsertSso(app.database, row, now);
    const taken = await replaceDomains(app.database, organization_id, domains);
    if (taken !== null) throw refuse.ssoDomainTaken({ details: { field: 'domains', value: taken } });
    await deleteSignIns(app.database, organization_id);
    const ended_sessions =
      (await deleteSsoSessions(app.database, organization_id, input.issuer)) +
      (input.is_required ? await deletePasswordSessions(app.database, organization_id) : 0);
    const after = showSso(app, (await selectSso(app.database, organization_id)) as SsoRow);
    await record(app, caller, 'organization.sso_updated', before, { ...after, ended_sessions });
    return after;
  });
}

type Secret = {
  organization_id: string;
  issuer: string;
  client_secret: string | undefined;
  before: SsoRow | undefined;
};

/** A secret is for one issuer: it is never sent to another. */
async function sealSecret(app: App, { organization_id, issuer, client_secret, before }: Secret): Promise<string> {
  if (client_secret !== undefined)
    return app.secrets.seal(app.database, null, secretContext({ organization_id, issuer }), client_secret);
  if (before?.issuer === issuer) return before.client_secret;
  throw invalidField('client_secret', before ? 'is required when the issuer changes' : 'is required');
}

export async function deleteSso(app: App, given: Caller): Promise<void> {
  const caller = accountOf(given);
  requireRecentAuthentication(app, caller);
  await transact(app, async (app) => {
    await lockPeople(app.database, caller.organization_id);
    if (!(await forgetSso(app, caller, caller.organization_id))) throw refuse.notFound();
  });
}

/** In a transaction, with the people locked. Returns false if there were no settings. */
export async function forgetSso(app: App, actor: Actor, organization_id: string): Promise<boolean> {
  const before = await selectSso(app.database, organization_id);
  if (!before) return false;
  await deleteSsoRow(app.database, organization_id);
  await deleteSignIns(app.database, organization_id);
  const ended_sessions = await deleteSsoSessions(app.database, organization_id, null);
  await record(app, actor, 'organization.sso_deleted', before, { ended_sessions });
  return true;
}

/** For the operator, who gave this owner a password: it works from now on. */
export async function allowPasswords(app: App, account_id: string): Promise<void> {
  await transact(app, async (app) => {
    const account = await selectSecretAccount(app.database, account_id);
    if (!account) return;
    const { organization_id } = account;
    await lockPeople(app.database, organization_id);
    const before = await selectSso(app.database, organization_id);
    const is_changed = await allowPasswordsIn(app.database, organization_id, new Date(app.now()).toISOString());
    if (!before || !is_changed) return;
    const after = showSso(app, { ...before, is_required: false });
    await record(app, 'system', 'organization.sso_updated', before, after);
  });
}

async function record(app: App, actor: Actor, action: string, before: SsoRow | undefined, after: object) {
  const organization_id = before?.organization_id ?? (actor as AccountCaller).organization_id;
  const shown = before ? showSso(app, before) : null;
  await recordOfOrganization(app, actor, organization_id, { action, target_id: organization_id, before: shown, after });
}

function showSso({ config }: App, row: SsoRow): OrganizationSso {
  const { organization_id, issuer, client_id, domains, role_claim, role_map, default_role, is_required } = row;
  return {
    object: 'organization_sso',
    issuer,
    client_id,
    domains,
    role_claim,
    role_map,
    default_role,
    is_required,
    callback_url: callbackUrl(config.public_url, organization_id),
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
