// Reads the response of a hook: a decision, or what is wrong with the response. Whatever is not exactly a decision is a failure.

import { type HookPoint, hookResponses, MAX_HOOK_REASON_LENGTH } from '@toolgate/contract/hooks/rules.ts';
import { inexactNumbers } from '../../../../engines/json-text/inexact-numbers.ts';
import { JsonProblem, parseStrict } from '../../../../engines/json-text/parse-strict.ts';
import type { OutboundResponse } from '../../../../outbound/messages.ts';

export type HookDecision = {
  decision: (typeof hookResponses)[number];
  reason: string | null;
  /** Undefined: it changes nothing. */
  arguments: Record<string, unknown> | undefined;
  result: { value: unknown } | undefined;
};

/** One sentence about what went wrong, without a URL. */
export type HookFailure = { decision: 'failed'; reason: string };

type Responded = Pick<OutboundResponse, 'status' | 'body' | 'truncated'>;

/** As deep as a result may be, inside of the response. */
const LIMITS = { max_depth: 101, max_members: 50_000, max_values: 300_000 };

/** `may_change`: otherwise `arguments` and `result` are not looked at. */
export function readResponse(
  { status, body, truncated }: Responded,
  { point, may_change }: { point: HookPoint; may_change: boolean },
): HookDecision | HookFailure {
  if (status >= 300 && status < 400) return failed(`The hook returned a redirect, status ${status}.`);
  if (status < 200 || status > 299) return failed(`The hook returned status ${status}.`);
  if (truncated) return failed("The hook's response is larger than 1 MiB.");
  const response = parseObject(body);
  if (typeof response === 'string') return failed(`The hook's response ${response}.`);
  const { decision, reason } = response;
  if (!isDecision(decision)) return failed("The hook's response has no decision.");
  if (decision === 'confirm' && point === 'after')
    return failed('The hook returned `confirm` after the call had been made.');
  if (reason !== undefined && reason !== null && typeof reason !== 'string')
    return failed("The reason in the hook's response is not text.");
  const read = { decision, reason: reason ? readable(reason) : null, arguments: undefined, result: undefined };
  return may_change && decision !== 'deny' ? withChange(read, response, point) : read;
}

function withChange(
  read: HookDecision,
  response: Record<string, unknown>,
  point: HookPoint,
): HookDecision | HookFailure {
  const changed = point === 'before' ? response.arguments : response.result;
  if (changed === undefined) return read;
  // They would be sent on as other numbers than the hook wrote.
  if (typeof changed === 'object' && changed !== null && inexactNumbers(changed, 1).length > 0)
    return failed("The hook's response has a number that would lose precision.");
  if (point === 'after') return { ...read, result: { value: changed } };
  return isObject(changed)
    ? { ...read, arguments: changed }
    : failed("The arguments in the hook's response are not an object.");
}

const failed = (reason: string): HookFailure => ({ decision: 'failed', reason });

/** The words say what is wrong with it. */
function parseObject(body: Buffer): Record<string, unknown> | string {
  try {
    const value = parseStrict(body, LIMITS);
    return isObject(value) ? value : 'is not a JSON object';
  } catch (error) {
    if (error instanceof JsonProblem) return error.message;
    throw error;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isDecision = (value: unknown): value is HookDecision['decision'] =>
  hookResponses.some((decision) => decision === value);

/** Control, bidi and invisible characters: a model and a person read the same text. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]|\p{Default_Ignorable_Code_Point}/gu;

/** Lone surrogates are replaced, too: PostgreSQL cannot store them. */
function readable(text: string): string | null {
  const shown = text
    .slice(0, 2 * MAX_HOOK_REASON_LENGTH)
    .toWellFormed()
    .replace(/[\t\r\n]+/g, ' ')
    .replace(HIDDEN, (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16)}}`)
    .trim();
  return shown === '' ? null : shown.slice(0, MAX_HOOK_REASON_LENGTH).toWellFormed();
}
