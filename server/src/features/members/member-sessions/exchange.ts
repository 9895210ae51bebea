// Exchanges a signed assertion (or, outside production, an unsigned external id) for a session token of one member.
// The order of the checks is the contract's (5): key, body, integration, mode, assertion.

import {
  SESSION_LIFETIME_SECONDS,
  type SessionToken,
  type SessionTokenRequest,
} from '@toolgate/contract/member-sessions/member-session.ts';
import type { Caller, Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { type ApiError, refuse } from '../../../errors/errors.ts';
import { hashToken, makeToken } from '../../../secrets/tokens.ts';
import { DELIVERY } from '../../activity/events/record.ts';
import { findToolsetIds } from '../../policies/toolsets/slugs.ts';
import { refuseAssertion } from '../assertion-keys/assertion-refusals.ts';
import { isExternalId } from '../assertion-keys/external-id.ts';
import { cachedActiveKey, findActiveKey } from '../assertion-keys/find-active-key.ts';
import { type AssertedAccess, verifyAssertion } from '../assertion-keys/verify-assertion.ts';
import { newEvent } from './events.ts';
import { memberToolsets } from './member-toolsets.ts';
import { type MintResult, mintSessions, type NewSession } from './mint.ts';

export async function exchange(
  app: App,
  caller: Caller,
  { member_assertion, member_external_id }: SessionTokenRequest,
): Promise<SessionToken> {
  if (member_assertion === undefined && member_external_id === undefined) throw refuse.assertionOrExternalIdRequired();
  if (caller.kind !== 'api_key' || caller.integration_id === null) throw refuse.keyWithoutIntegration();
  const { project, api_key_id, integration_id } = caller;

  const now = app.now();
  const { external_id, assertion_key_id, jti, access } =
    member_assertion === undefined
      ? acceptExternalId(project, member_external_id)
      : await verifyMember(app, project, member_assertion, now);

  const toolsets = access.toolsets ?? (await memberToolsets(app, project, access.claims));
  const [id, new_member_id, session_token] = [newId('ses'), newId('mem'), makeToken('svc_mst_')];
  const expires_at = new Date(now + SESSION_LIFETIME_SECONDS * 1000).toISOString();
  const data = { id, member_id: new_member_id, external_id, integration_id, expires_at };
  const minted = await mintWithOthers(app, project, {
    id,
    integration_id,
    api_key_id,
    assertion_key_id,
    hash: hashToken(session_token),
    created_at: new Date(now).toISOString(),
    expires_at,
    external_id,
    new_member_id,
    jti: jti?.value ?? null,
    jti_expires_at: jti?.expires_at ?? null,
    toolset_ids: toolsets?.ids ?? null,
    claims: Object.keys(access.claims).length > 0 ? access.claims : null,
    event: newEvent(app, project.id, 'member_session.created', data),
  });
  if (minted.member_id === null) throw refusalFor(minted.reason);
  const member = { id: minted.member_id, external_id };
  return {
    session_token,
    token_type: 'Bearer',
    expires_in: SESSION_LIFETIME_SECONDS,
    expires_at,
    member,
    toolsets: toolsets?.slugs ?? null,
  };
}

/** Exchanges of one project that run at the same time share a statement, which holds one database permit. */
function mintWithOthers(app: App, project: Project, session: NewSession): Promise<MintResult> {
  return app.grouped_calls.run('mint', project.id, session, (sessions) =>
    app.permits.run(project, async () => {
      const { results, has_jobs } = await mintSessions(app.pool, project.id, sessions);
      if (has_jobs) app.job_notifier.notify(DELIVERY);
      return results;
    }),
  );
}

type VerifiedMember = {
  external_id: string;
  assertion_key_id: string | null;
  jti: { value: string; expires_at: string } | null;
  access: AssertedAccess;
};

async function verifyMember(app: App, project: Project, token: unknown, now: number): Promise<VerifiedMember> {
  const findKey = (kid: string) =>
    cachedActiveKey(app, project.id, kid) ?? app.permits.run(project, () => findActiveKey(app, project.id, kid));
  const findToolsets = (slugs: string[]) => findToolsetIds(app, project, slugs);
  const result = await verifyAssertion({ token, project_id: project.id, now, findKey, findToolsets });
  if (!result.ok) throw refuseAssertion(result.reason);
  const { sub, key, jti, exp, access } = result;
  // Rounded up: an assertion is valid until the millisecond of its exp, so its jti must stay used as long.
  const used = jti === null ? null : { value: jti, expires_at: new Date(Math.ceil(exp * 1000)).toISOString() };
  return { external_id: sub, assertion_key_id: key.id, jti: used, access };
}

function acceptExternalId(project: Project, external_id: string | undefined): VerifiedMember {
  if (project.environment === 'production') throw refuse.externalIdDisabled();
  if (!isExternalId(external_id))
    throw refuse.memberUnresolved({ details: { field: 'member_external_id', reason: 'external_id_unusable' } });
  return { external_id, assertion_key_id: null, jti: null, access: { claims: {}, toolsets: null } };
}

function refusalFor(reason: Extract<MintResult, { member_id: null }>['reason']): ApiError {
  switch (reason) {
    case 'API_KEY_ENDED':
      return refuse.invalidApiKey();
    case 'ASSERTION_KEY_ENDED':
      return refuseAssertion('KEY_NOT_FOUND');
    case 'REPLAYED':
      return refuseAssertion('REPLAYED');
  }
}
