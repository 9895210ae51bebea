// Sends a call with its credential: a fixed header, a signature over exactly the bytes that are sent, or an access token.

import type { App } from '../../app.ts';
import { ApiError } from '../../errors.ts';
import { type OutboundResponse, SendError } from '../../outbound/messages.ts';
import { redactResponse, tokenForms } from '../../outbound/redact-secrets.ts';
import type { RequestSpan } from '../../tracing/tracing.ts';
import { CallOutdated, recheck } from './call-access.ts';
import { accessToken, cachedToken, tokenRefused } from './client-credentials.ts';
import type { Credential } from './credential.ts';
import { build, type CheckedCall, recheckAndBuild, toOutbound } from './outbound-call.ts';
import { sendWithMemberToken } from './send-with-member-token.ts';

/** Rejects with CallOutdated when the tool changed while the call waited. */
export function sendAuthorized(app: App, checked: CheckedCall): Promise<OutboundResponse> {
  const { span } = checked.call;
  return span ? sendInSpan(app, checked, span) : sendWithCredential(app, checked);
}

async function sendInSpan(app: App, checked: CheckedCall, parent: RequestSpan): Promise<OutboundResponse> {
  const { call, tool } = checked;
  const { id: tool_id, name: tool_name, origin, shape } = tool;
  const span = parent.createUpstream(call.traceparent, { method: shape.method, origin, tool_id, tool_name });
  try {
    const response = await sendWithCredential(app, { ...checked, span });
    span.end({ status: response.status });
    return response;
  } catch (error) {
    span.end({ error: error instanceof SendError ? error.kind : 'refused' });
    throw error;
  }
}

function sendWithCredential(app: App, checked: CheckedCall): Promise<OutboundResponse> {
  const { credential } = checked.tool;
  if (credential.kind === 'unreadable') throw credential.cause;
  if (credential.kind === 'token') return sendWithToken(app, checked, credential);
  if (credential.kind === 'member_token') return sendWithMemberToken(app, checked, credential.provider_id);
  const sent = app.send(
    toOutbound(checked, (has_waited) => (has_waited ? recheckAndBuild(app, checked) : build(app, checked))),
  );
  const { secret_forms } = credential;
  return secret_forms.length === 0 ? sent : sent.then((response) => redactResponse(response, secret_forms));
}

/** The token is fetched before the call is queued: a call that held a slot while it waited for another could deadlock. */
async function sendWithToken(
  app: App,
  checked: CheckedCall,
  { source, secret_forms }: Credential & { kind: 'token' },
): Promise<OutboundResponse> {
  const began = performance.now();
  const found = accessToken(app, source, {
    quota_group_id: checked.caller.project.quota_group_id,
    recheck: () => recheckForAll(app, checked),
  });
  const has_fetched = found instanceof Promise;
  let token = await found;
  const timeout_ms = Math.max(1, checked.timeout_ms - (performance.now() - began));
  const response = await app.send(
    toOutbound({ ...checked, timeout_ms }, (has_waited) => {
      // Another call may have fetched a newer token meanwhile.
      token = cachedToken(app, source) ?? token;
      return has_waited || has_fetched ? recheckAndBuild(app, checked, token) : build(app, checked, token);
    }),
  );
  if (response.status === 401) tokenRefused(app, source, token);
  return redactResponse(redactResponse(response, secret_forms), tokenForms(token));
}

/** Several calls may wait for one token: a refusal of the call that fetches it must not be thrown to the others. */
async function recheckForAll(app: App, { caller, tool, call }: CheckedCall): Promise<void> {
  try {
    await recheck(app, caller, tool, call.name);
  } catch (error) {
    throw error instanceof ApiError ? new CallOutdated() : error;
  }
}
