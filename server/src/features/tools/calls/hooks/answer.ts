// Reads the answer of a hook: a decision, or what is wrong with the answer. Whatever is not exactly a decision is a failure.

import { type HookPoint, hookAnswers, MAX_HOOK_REASON_LENGTH } from '@toolgate/contract/hooks/rules.ts';
import { inexactNumbers } from '../../../../json/inexact-numbers.ts';
import { JsonProblem, parseStrict } from '../../../../json/parse-strict.ts';
import type { OutboundResponse } from '../../../../outbound/messages.ts';

export type HookDecision = {
  decision: (typeof hookAnswers)[number];
  reason: string | null;
  /** Undefined: it changes nothing. */
  arguments: Record<string, unknown> | undefined;
  result: { value: unknown } | undefined;
};

/** One sentence about what went wrong, without an address. */
export type HookFailure = { decision: 'failed'; reason: string };

type Answered = Pick<OutboundResponse, 'status' | 'body' | 'truncated'>;

/** As deep as a result may be, inside of the answer. */
const LIMITS = { max_depth: 101, max_members: 50_000, max_values: 300_000 };

/** `may_change`: otherwise `arguments` and `result` are not looked at. */
export function readAnswer(
  { status, body, truncated }: Answered,
  { point, may_change }: { point: HookPoint; may_change: boolean },
): HookDecision | HookFailure {
  if (status >= 300 && status < 400) return failed(`The hook returned a redirect, status ${status}.`);
  if (status < 200 || status > 299) return failed(`The hook returned status ${status}.`);
  if (truncated) return failed('The response of the hook is larger than 1 MiB.');
  const answer = parseObject(body);
  if (typeof answer === 'string') return failed(`The response of the hook ${answer}.`);
  const { decision, reason } = answer;
  if (!isDecision(decision)) return failed('The response of the hook has no decision.');
  if (decision === 'confirm' && point === 'after')
    return failed('The hook returned `confirm` when the call had been made.');
  if (reason !== undefined && reason !== null && typeof reason !== 'string')
    return failed('The reason in the response of the hook is not text.');
  const read = { decision, reason: reason ? readable(reason) : null, arguments: undefined, result: undefined };
  return may_change && decision !== 'deny' ? withChange(read, answer, point) : read;
}

function withChange(read: HookDecision, answer: Record<string, unknown>, point: HookPoint): HookDecision | HookFailure {
  const changed = point === 'before' ? answer.arguments : answer.result;
  if (changed === undefined) return read;
  // They would be sent on as other numbers than the hook wrote.
  if (typeof changed === 'object' && changed !== null && inexactNumbers(changed, 1).length > 0)
    return failed('The response of the hook has a number that cannot be kept exactly.');
  if (point === 'after') return { ...read, result: { value: changed } };
  return isObject(changed)
    ? { ...read, arguments: changed }
    : failed('The arguments in the response of the hook are not an object.');
}

const failed = (reason: string): HookFailure => ({ decision: 'failed', reason });

/** The words say what is wrong with it. */
function parseObject(body: Buffer): Record<string, unknown> | string {
  try {
    const value = parseStrict(body, LIMITS);
    return isObject(value) ? value : 'is no JSON object';
  } catch (error) {
    if (error instanceof JsonProblem) return error.message;
    throw error;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isDecision = (value: unknown): value is HookDecision['decision'] =>
  hookAnswers.some((decision) => decision === value);

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
