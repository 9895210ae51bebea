// A tool that needs an account of the member, which is not connected: a client that can open URLs asks its user to connect one
// (contract 17). A call that is repeated after that waits a while for the connection.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../../../errors/errors.ts';
import { InputRequired } from '../../../../errors/input-required.ts';
import type { Ready } from '../../../../when-ready.ts';
import type { CallRun } from '../run.ts';
import type { ToolCall } from '../tool-call.ts';

const HELD_MS = 20_000;
const POLL_MS = 500;

/** Waits in the name of the person: that does not count against the timeout of the tool. */
export async function whenConnected<T>(run: CallRun, find: () => Ready<T>): Promise<T> {
  const { elicitation, requester } = run.call;
  const until = performance.now() + HELD_MS;
  for (;;) {
    try {
      return await find();
    } catch (error) {
      // Its user opened the URL a moment ago, and may still be there.
      const isWaiting = elicitation?.connect === 'accept' && isUnconnected(error) && performance.now() < until;
      if (!isWaiting || requester?.is_gone) throw askToConnect(error, run.call);
    }
    await sleep(POLL_MS);
    run.waited_ms += POLL_MS;
  }
}

type Unconnected = ApiError & { details: { sign_in_url: string } };

const isUnconnected = (error: unknown): error is Unconnected =>
  error instanceof ApiError &&
  error.code === 'MEMBER_SIGN_IN_REQUIRED' &&
  typeof error.details.sign_in_url === 'string';

/** The question, for a client that can open URLs and whose user did not refuse to; else the error as it is. */
function askToConnect(error: unknown, { elicitation }: ToolCall): unknown {
  if (!elicitation?.url || elicitation.connect === 'decline' || elicitation.connect === 'cancel') return error;
  if (!isUnconnected(error)) return error;
  const { sign_in_url: url, provider } = error.details;
  const message = `Connect your account at ${String(provider)}`;
  return new InputRequired({ kind: 'url', key: 'connect', message, url, id: randomUUID(), state: null }, error);
}
