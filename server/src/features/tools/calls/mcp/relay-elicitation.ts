// What an MCP server asks the user of a call, passed on to the caller's client, and the answers passed back (contract 19). Only what the
// client declared is passed on. The state of the server travels inside of a seal of ours: it comes back only from the same caller, for the
// same server, tool and arguments, within 10 minutes.

import type { App } from '../../../../app.ts';
import { refuse } from '../../../../errors/errors.ts';
import { type ElicitRequest, InputRequired } from '../../../../errors/input-required.ts';
import type { ToolRequest } from '../../../../mcp-client/client.ts';
import { isObject, McpProblem } from '../../../../mcp-client/message.ts';
import { isLegacy } from '../../../../mcp-client/revisions.ts';
import { askedCall } from '../../approvals/request.ts';
import { openState, sealState } from '../../approvals/request-state.ts';
import type { CallRun } from '../run.ts';
import { redactText } from './mcp-result.ts';
import { type Modes, readRequest, showRequests } from './relayed-question.ts';
import type { McpTarget } from './target.ts';

const MAX_REQUESTS_BYTES = 64 * 1024;
const MAX_STATE_BYTES = 16 * 1024;

const NO_MODES: Modes = { form: false, url: false };

/** What the server may ask: nothing unless both sides speak 2026-07-28. */
const modesOf = ({ call: { elicitation } }: CallRun): Modes => (elicitation?.is_modern ? elicitation : NO_MODES);

/** The capabilities of the client, as a server of 2026-07-28 is told. */
export function relayedCapabilities(run: CallRun): object {
  const { form, url } = modesOf(run);
  return form || url ? { elicitation: { ...(form && { form: {} }), ...(url && { url: {} }) } } : {};
}

/** What the user answered to this server about this very call; only 2026-07-28 has a place for it. Throws TamperedState. */
export async function relayedResponses(app: App, run: CallRun): Promise<ToolRequest['responses']> {
  const { elicitation } = run.call;
  if (!elicitation?.response) return {};
  const opened = await openState(app, askedOf(run), elicitation.response.state);
  if (opened?.mode !== 'relay') return {};
  const { responses } = elicitation;
  const given = opened.keys.filter((key) => Object.hasOwn(responses, key)).map((key) => [key, responses[key]]);
  return {
    inputResponses: Object.fromEntries(given),
    ...(opened.state === null ? {} : { requestState: opened.state }),
  };
}

/** For a result with `resultType: "input_required"`. Throws an McpProblem if it asks for what was not offered. */
export async function relayQuestion(
  app: App,
  run: CallRun,
  target: McpTarget,
  { inputRequests = {}, requestState = null }: Record<string, unknown>,
  secret_forms: readonly Buffer[],
): Promise<InputRequired> {
  const modes = isLegacy(target.revision) ? NO_MODES : modesOf(run);
  const isKnown = isObject(inputRequests) && (requestState === null || typeof requestState === 'string');
  if (!isKnown || !(modes.form || modes.url))
    throw new McpProblem('protocol', 'It asked for something that the caller did not offer');
  if (requestState !== null && requestState.length > MAX_STATE_BYTES)
    throw new McpProblem('too_large', 'The state of its question is too large');
  const read = Object.entries(inputRequests).map(([key, request]) => [key, readRequest(request, modes)] as const);
  return ask(app, run, { requests: Object.fromEntries(read), state: requestState, secret_forms });
}

/** What the error -32042 of earlier revisions asks to open. Null: nothing, or the caller's client cannot open URLs. */
export async function relayAddresses(
  app: App,
  run: CallRun,
  target: McpTarget,
  data: unknown,
  secret_forms: readonly Buffer[],
): Promise<InputRequired | null> {
  const asked = isObject(data) && Array.isArray(data.elicitations) ? data.elicitations : [];
  if (!run.call.elicitation?.url || asked.length === 0 || !isLegacy(target.revision)) return null;
  const read = asked.map((params) => {
    if (!isObject(params) || typeof params.elicitationId !== 'string')
      throw new McpProblem('protocol', 'It asked in a way that MCP does not define');
    const request = { method: 'elicitation/create', params: { ...params, mode: 'url' } };
    return [params.elicitationId, readRequest(request, { form: false, url: true })] as const;
  });
  return ask(app, run, { requests: Object.fromEntries(read), state: null, secret_forms });
}

type Question = { requests: Record<string, ElicitRequest>; state: string | null; secret_forms: readonly Buffer[] };

async function ask(app: App, run: CallRun, { requests, state, secret_forms }: Question): Promise<InputRequired> {
  const text = JSON.stringify(requests);
  if (Buffer.byteLength(text) > MAX_REQUESTS_BYTES) throw new McpProblem('too_large', 'Its question is too large');
  const relay = { mode: 'relay' as const, keys: Object.keys(requests), state };
  const sealed = await sealState(app, askedOf(run), relay);
  const safe = JSON.parse(redactText(text, secret_forms)) as Question['requests'];
  const shown = showRequests(safe, run.tool);
  return new InputRequired({ kind: 'relay', requests: shown, state: sealed }, refuse.inputRequired());
}

/** With what is sent: the server's state is about that. */
const askedOf = ({ caller, tool, given }: CallRun) => askedCall(caller, tool, given);
