// Sends a call with the member's own token (member_oauth). A token that the API refuses with 401 is refreshed and sent once more:
// the API has not acted on the first request. Without a token the refusal has a link to connect an account.

import { setTimeout as sleep } from 'node:timers/promises';
import { memberOf, type Project } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { type ApiError, refuse } from '../../errors.ts';
import { type OutboundResponse, SendError } from '../../outbound/messages.ts';
import { redactResponse, tokenForms } from '../../outbound/redact-secrets.ts';
import { createConnectLink } from '../oauth-connections/connect-link.ts';
import {
  cachedMemberToken,
  loadMemberToken,
  type MemberToken,
  replaceRefusedToken,
} from '../oauth-connections/member-token.ts';
import { findProvider } from '../oauth-providers/find.ts';
import { ProviderError } from '../oauth-providers/provider-error.ts';
import { build, type CheckedCall, recheckAndBuild, toOutbound } from './outbound-call.ts';

/** The token is loaded before the call is queued: a call that held a slot while it waited for another could deadlock. */
export async function sendWithMemberToken(
  app: App,
  checked: CheckedCall,
  provider_id: string,
): Promise<OutboundResponse> {
  const caller = requireMember(checked);
  const began = performance.now();
  const remaining = () => Math.max(1, checked.timeout_ms - (performance.now() - began));
  const send = async (token: MemberToken, has_waited_for_token: boolean) => {
    const response = await app.send(
      toOutbound({ ...checked, timeout_ms: remaining() }, (has_waited) =>
        has_waited || has_waited_for_token ? recheckAndBuild(app, checked, token) : build(app, checked, token),
      ),
    );
    return redactResponse(response, tokenForms(token));
  };

  const cached = cachedMemberToken(app, caller, provider_id);
  const token = cached ?? (await within(remaining(), loadMemberToken(app, caller, provider_id)));
  if (!token) throw await signInRequired(app, caller, provider_id);
  const response = await send(token, token !== cached);
  if (response.status !== 401) return response;

  const other = await within(remaining(), replaceRefusedToken(app, caller, provider_id, token));
  if (other === 'same') return response;
  if (other === null) throw await signInRequired(app, caller, provider_id);
  return send(other, true);
}

/** A tool with member_oauth requires a member, so that every caller that gets here is one. */
function requireMember({ caller }: CheckedCall): Member {
  const member = memberOf(caller);
  if (!member) throw refuse.memberContextRequired();
  return { project: caller.project, ...member };
}

type Member = { project: Project; member_id: string; external_id: string };

/** The time of the tool includes a refresh. A refresh that takes longer continues, for the next call. */
async function within<T>(timeout_ms: number, work: Promise<T>): Promise<T> {
  const stop = new AbortController();
  const timeout = sleep(timeout_ms, undefined, { signal: stop.signal }).then(
    () => Promise.reject(new SendError('timeout', 'no token of the member in time')),
    () => undefined as never,
  );
  try {
    return await Promise.race([work, timeout]);
  } catch (error) {
    throw error instanceof ProviderError ? tokenRefusal(error) : error;
  } finally {
    stop.abort();
  }
}

function tokenRefusal(cause: ProviderError): ApiError {
  const details = { field: 'auth_config.oauth_provider_id' };
  return cause.kind === 'unreachable'
    ? refuse.upstreamConnection({ details, cause })
    : refuse.toolExecutionFailed({ details, cause });
}

async function signInRequired(app: App, caller: Member, provider_id: string): Promise<ApiError> {
  const { id: project_id, quota_group_id } = caller.project;
  return app.permits.run(quota_group_id, async () => {
    const provider = await findProvider(app, project_id, provider_id);
    if (!provider)
      return refuse.toolExecutionFailed({
        details: { field: 'auth_config.oauth_provider_id', reason: 'oauth_provider_deleted' },
      });
    const sign_in_url = await createConnectLink(app, caller, provider);
    const reason = sign_in_url === null ? 'oauth_provider_disabled' : 'member_sign_in_required';
    return refuse.memberSignInRequired({ details: { provider: provider.name, sign_in_url, reason } });
  });
}
