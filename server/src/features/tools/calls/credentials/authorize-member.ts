// Authenticates a call with the member's own token (member_oauth). A token that the API refuses with 401 is refreshed and sent once more:
// the API has not acted on the first request. Without a token the refusal has a link to connect an account.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Reason } from '@toolgate/contract/errors.ts';
import { memberOf, type Project, type ToolCaller } from '../../../../access/caller.ts';
import type { App } from '../../../../app.ts';
import { type ApiError, refuse } from '../../../../errors/errors.ts';
import { ProviderError } from '../../../../openid/provider-error.ts';
import { SendError } from '../../../../outbound/messages.ts';
import { tokenForms } from '../../../../outbound/redact-secrets.ts';
import { createConnectLink } from '../../../oauth/connections/connect-link.ts';
import { connectPageUrl } from '../../../oauth/connections/connect-page-url.ts';
import {
  cachedMemberToken,
  loadMemberToken,
  type MemberToken,
  replaceRefusedToken,
} from '../../../oauth/connections/member-token.ts';
import { findAnyProvider } from '../../../oauth/providers/find.ts';
import { IssuerNotApproved } from '../../../oauth/providers/pinned-issuer.ts';
import type { Provider } from '../../../oauth/providers/provider.ts';
import { identifyingProviders } from '../../../oauth/server/identify.ts';
import type { Authorization } from './authorization.ts';

export function authorizeMember(
  app: App,
  caller: ToolCaller,
  provider_id: string,
  remaining: () => number,
): Authorization | Promise<Authorization> {
  const member = requireMember(caller);
  const cached = cachedMemberToken(app, member, provider_id);
  return cached ? withToken(cached) : load();

  async function load(): Promise<Authorization> {
    const token = await within(remaining(), loadMemberToken(app, member, provider_id));
    if (!token) throw await signInRequired(app, member, provider_id);
    return withToken(token);
  }

  async function replace(token: MemberToken): Promise<Authorization | null> {
    const other = await within(remaining(), replaceRefusedToken(app, member, provider_id, token));
    if (other === null) throw await signInRequired(app, member, provider_id);
    return other === 'same' ? null : withToken(other);
  }

  function withToken(token: MemberToken): Authorization {
    return {
      addTo({ headers }) {
        headers.authorization = `Bearer ${token.text}`;
      },
      secretForms: () => tokenForms(token),
      refused: () => replace(token),
    };
  }
}

/** A tool with member_oauth requires a member, so that every caller that gets here is one. */
function requireMember(caller: ToolCaller): Member {
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
  if (cause instanceof IssuerNotApproved)
    return refuse.toolExecutionFailed({
      details: { field: 'auth_config.issuer', reason: 'issuer_not_approved' },
      cause,
    });
  const details = { field: 'auth_config.oauth_provider_id' };
  return cause.kind === 'unreachable'
    ? refuse.upstreamConnection({ details, cause })
    : refuse.toolExecutionFailed({ details, cause });
}

/** A member who signs in here opens a link and does so; another one is sent to the page of the customer. Do not hold a database permit. */
async function addressFor(app: App, caller: Member, provider: Provider) {
  const { project, member_id, external_id } = caller;
  const none = (reason: Reason) => ({ sign_in_url: null, reason });
  if (!provider.is_enabled) return none('oauth_provider_disabled');
  const signsIn = (await identifyingProviders(app, project, external_id)).length > 0;
  const sign_in_url = signsIn
    ? await app.permits.run(project, () => createConnectLink(app, caller, provider))
    : connectPageUrl(project.settings, { member_id, provider });
  return sign_in_url === null
    ? none('connect_url_not_set')
    : { sign_in_url, reason: 'member_sign_in_required' as const };
}

async function signInRequired(app: App, caller: Member, provider_id: string): Promise<ApiError> {
  const { project } = caller;
  const provider = await app.permits.run(project, () => findAnyProvider(app, project.id, provider_id));
  if (!provider)
    return refuse.toolExecutionFailed({
      details: { field: 'auth_config.oauth_provider_id', reason: 'oauth_provider_deleted' },
    });
  const { sign_in_url, reason } = await addressFor(app, caller, provider);
  return refuse.memberSignInRequired({ details: { provider: provider.name, sign_in_url, reason } });
}
