// What both ways to send a call share, HTTPS and MCP: its span, its credential, and a second look at what may have changed while it waited.

import type { App } from '../../../app.ts';
import { type OutboundResponse, SendError } from '../../../outbound/messages.ts';
import { type Ready, whenReady } from '../../../when-ready.ts';
import { recheck } from './call-access.ts';
import type { Authorization } from './credentials/authorization.ts';
import { type CallRun, remainingMs } from './run.ts';

/** `is_late`: time has passed since access was checked. */
type SendOnce = (authorization: Authorization, is_late: boolean) => Promise<OutboundResponse>;

/** An API that refuses the credential with 401 has not acted on the request: it is sent once more if there is another credential. */
export async function sendAuthorized(run: CallRun, sendOnce: SendOnce): Promise<OutboundResponse> {
  const authorization = authorizationOf(run);
  const response = await sendOnce(authorization, run.has_waited);
  if (response.status !== 401) return response;
  const other = await authorization.refused();
  if (!other) return response;
  run.authorization = other;
  return sendOnce(other, true);
}

export function authorizationOf({ authorization }: CallRun): Authorization {
  if (authorization === null) throw new Error('the credential of a call is found before the call is sent');
  return authorization;
}

/** Called when the request has its slot. Rejects with CallOutdated if the call has to begin again. */
export const buildCurrent = <T>(
  app: App,
  run: CallRun,
  is_late: boolean,
  build: (current: Pick<CallRun, 'caller' | 'tool'>) => Ready<T>,
): Ready<T> => (is_late ? whenReady(recheck(app, run.caller, run.tool, run.call.name), build) : build(run));

/** For a timeout, which is never 0. */
export const timeLeft = (run: CallRun) => Math.max(1, remainingMs(run));

export async function inSpan<T extends OutboundResponse>(
  run: CallRun,
  method: string,
  work: () => Promise<T>,
): Promise<T> {
  const { call, tool } = run;
  if (!call.span) return work();
  const about = { method, origin: tool.origin, tool_id: tool.id, tool_name: tool.name };
  const span = call.span.createUpstream(call.traceparent, about);
  run.span = span;
  try {
    const response = await work();
    span.end({ status: response.status });
    return response;
  } catch (error) {
    span.end({ error: error instanceof SendError ? error.kind : 'refused' });
    throw error;
  }
}
