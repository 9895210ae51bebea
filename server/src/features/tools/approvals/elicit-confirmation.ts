// Confirms a call over MCP (contract 17): by a form that the client shows its user, by a page that it opens, or by a link for the
// model. A form is only for calls of a member: nobody is in front of a key or a machine, and whatever holds it would approve its own
// call. The retry of a call that waits for a page is held for a while, so that a model need not repeat it.

import { setTimeout as sleep } from 'node:timers/promises';
import { memberOf, type ToolCaller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { refuse } from '../../../errors/errors.ts';
import { InputRequired } from '../../../errors/input-required.ts';
import type { Requester } from '../../../outbound/requester.ts';
import { recordResponse, withdraw } from './answer.ts';
import { type ApprovalRow, decisionUrl } from './approval.ts';
import { type Confirmed, confirmationLink, confirmedAlready, confirmedBy, declined } from './confirmed.ts';
import type { Elicitation } from './elicitation.ts';
import { confirmationMessage, visible } from './message.ts';
import { type ConfirmedTool, type Question, requestApproval } from './request.ts';
import { openState, type RequestState, sealState } from './request-state.ts';
import { isRemembered, markTold, selectApproval, selectOfCall } from './store.ts';

const HELD_MS = 20_000;
const POLL_MS = 250;

/** The part of a prepared tool that is needed. */
export type ConfirmableTool = ConfirmedTool & { title: string; host: string; shape: { method: string } };

/** How long a call was held for a person. */
export type Hold = { held_ms: number };

type Asking = {
  tool: ConfirmableTool;
  question: Question;
  elicitation: Elicitation;
  requester: Requester | undefined;
  /** Counts for how long the call is held. */
  hold: Hold;
};

export async function confirmOverMcp(app: App, caller: ToolCaller, asking: Asking): Promise<Confirmed> {
  const { question, elicitation } = asking;
  const { response } = elicitation;
  const state = response && (await openState(app, question, response.state));
  if (state?.mode === 'form') {
    const confirmed = hasUser(caller) ? await readForm(app, caller, asking, state) : null;
    if (confirmed) return confirmed;
  } else if (state?.mode === 'url') return readPage(app, caller, asking, state);
  const known = await app.permits.run(caller.project, () => findKnown(app, question));
  if (known === 'remembered') return confirmedAlready(question.tool);
  if (known === null) return ask(app, caller, asking);
  // A client of an earlier revision has nowhere to keep a state: the same call again is its retry.
  const isRetry = known.status === 'pending' && !elicitation.is_modern && modeOf(caller, asking) === 'url';
  return isRetry ? waitFor(app, caller, asking, known.id) : concluded(app, caller, asking, known);
}

/** What was decided, or is pending, about this very call. */
async function findKnown(app: App, question: Question): Promise<ApprovalRow | 'remembered' | null> {
  const now = app.now();
  const rows = await selectOfCall(app.database, question, now);
  const approved = rows.find(({ status }) => status === 'approved');
  if (approved) return approved;
  const no = rows.find(({ status }) => status === 'declined');
  // Told once: then the same call asks again.
  if (no && (await markTold(app.database, question.project_id, no.id))) return no;
  if (await isRemembered(app.database, question, now)) return 'remembered';
  return rows.find(({ status }) => status === 'pending') ?? null;
}

async function concluded(app: App, caller: ToolCaller, asking: Asking, row: ApprovalRow): Promise<Confirmed> {
  if (row.status === 'approved') return confirmedBy(app, caller, asking.question, row, () => ask(app, caller, asking));
  if (row.status === 'declined') throw declined(row);
  return ask(app, caller, asking);
}

/** Null: no answer, or one to a question that was answered before. */
async function readForm(
  app: App,
  caller: ToolCaller,
  asking: Asking,
  { approval_id: id, asked_at }: RequestState,
): Promise<Confirmed | null> {
  const { question, elicitation } = asking;
  const { action, is_confirmed } = elicitation.response as NonNullable<Elicitation['response']>;
  if (action === null || (action === 'accept' && is_confirmed === null)) return null;
  const response = action === 'cancel' ? 'cancelled' : action === 'accept' && is_confirmed ? 'approved' : 'declined';
  const row = await recordResponse(app, caller, question, { id, response, asked_at });
  if (!row) return null;
  if (response === 'cancelled') throw refuse.callCancelled({ details: { approval_id: id } });
  if (response === 'declined') throw declined(row);
  return confirmedBy(app, caller, question, row, () => ask(app, caller, asking));
}

/** The client has shown the URL to its user. Only the page approves. */
async function readPage(
  app: App,
  caller: ToolCaller,
  asking: Asking,
  { approval_id: id }: RequestState,
): Promise<Confirmed> {
  const { action } = asking.elicitation.response as NonNullable<Elicitation['response']>;
  if (action === 'decline' || action === 'cancel') {
    await withdraw(app, caller, id);
    throw action === 'decline'
      ? declined({ id, reason: null })
      : refuse.callCancelled({ details: { approval_id: id } });
  }
  return waitFor(app, caller, asking, id);
}

async function waitFor(app: App, caller: ToolCaller, asking: Asking, id: string): Promise<Confirmed> {
  const since = performance.now();
  try {
    return await pollUntil(since + HELD_MS, app, caller, asking, id);
  } finally {
    asking.hold.held_ms += performance.now() - since;
  }
}

/** Until it is decided. No database permit is held meanwhile. */
async function pollUntil(until: number, app: App, caller: ToolCaller, asking: Asking, id: string): Promise<Confirmed> {
  const { project } = caller;
  for (;;) {
    const row = await app.permits.run(project, () => selectApproval(app.database, project.id, id, app.now()));
    if (row?.status === 'declined') await app.permits.run(project, () => markTold(app.database, project.id, id));
    if (row && row.status !== 'pending') return concluded(app, caller, asking, row);
    if (!row) return ask(app, caller, asking);
    if (performance.now() >= until || asking.requester?.is_gone) throw confirmationLink(app, caller, row);
    await sleep(POLL_MS);
  }
}

type Mode = 'form' | 'url' | 'link' | 'refuse';

const hasUser = (caller: ToolCaller) => memberOf(caller) !== null;

/** Whether a form could be shown, if the client declares that it can. */
const allowsForm = (caller: ToolCaller, { question, elicitation }: Asking) =>
  elicitation.is_modern && question.confirm.by === 'user' && hasUser(caller);

function modeOf(caller: ToolCaller, asking: Asking): Mode {
  const { tool, question, elicitation } = asking;
  if (elicitation.form && allowsForm(caller, asking) && messageOf(tool, question) !== null) return 'form';
  return elicitation.url ? 'url' : question.confirm.fallback;
}

const messageOf = (tool: ConfirmableTool, question: Question) =>
  confirmationMessage({ title: tool.title, method: tool.shape.method, host: tool.host }, question.arguments);

async function ask(app: App, caller: ToolCaller, asking: Asking): Promise<never> {
  const { tool, question, elicitation } = asking;
  switch (modeOf(caller, asking)) {
    case 'form': {
      const approval_id = newId('apr');
      const state = await sealState(app, question, { mode: 'form', approval_id });
      const message = messageOf(tool, question) ?? '';
      throw new InputRequired({ kind: 'form', message, state }, refuse.confirmationRequired());
    }
    case 'url': {
      const row = await requestApproval(app, caller, question);
      const url = decisionUrl(app, caller.project.settings, row);
      const state = elicitation.is_modern ? await sealState(app, question, { mode: 'url', approval_id: row.id }) : null;
      const message = `A person has to approve: ${visible(tool.title)} (${tool.shape.method} ${tool.host})`;
      throw new InputRequired(
        { kind: 'url', key: 'confirm', message, url, id: row.id, state },
        confirmationLink(app, caller, row),
      );
    }
    case 'link':
      throw confirmationLink(app, caller, await requestApproval(app, caller, question));
    case 'refuse':
      throw missingCapability(caller, asking);
  }
}

/** Nobody can be asked, and no approval is left behind. */
function missingCapability(caller: ToolCaller, asking: Asking): Error {
  const { elicitation } = asking;
  const mode = allowsForm(caller, asking) ? 'form' : 'url';
  const required = { elicitation: { [mode]: {} } };
  const remedy = `This tool requires a client that declares the elicitation capability (${mode}): tell the user.`;
  const details = { reason: 'elicitation_required' as const, required_capabilities: required, remedy };
  const refusal = refuse.confirmationRequired({ details });
  return elicitation.is_modern ? new InputRequired({ kind: 'capability', required }, refusal) : refusal;
}
