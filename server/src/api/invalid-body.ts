// The refusals of a body that is not valid JSON or that a schema rejects: all wrong fields at once, without values that may be secrets.

import { isReason, type Reason } from '@toolgate/contract/errors.ts';
import type { z } from 'zod';
import type { JsonProblem } from '../engines/json-text/parse-strict.ts';
import { type ApiError, type FieldProblem, refuse } from '../errors/errors.ts';
import { showName, showText } from './show-name.ts';

const MAX_MESSAGE_LENGTH = 256;
const MAX_PROBLEMS_LENGTH = 1536;
const SECRET_FIELD = /secret|assertion|token|password|public_key|authorization|^headers$/i;

/** JSON that is too deep or too large is still valid JSON, so the field's value is refused and not the syntax. */
export function invalidJson({ kind, member, message }: JsonProblem): ApiError {
  const field = member === undefined ? {} : { field: showName(member) };
  const details = { ...field, reason: `json_${kind}` as const, problems: [{ field: '', ...field, message }] };
  return kind === 'depth' || kind === 'size' ? refuse.validation({ details }) : refuse.invalidJson({ details });
}

/** 422 for what a schema finds wrong with `data`. */
export function invalidBody({ issues }: z.ZodError, data: unknown): ApiError {
  const problems = issues.flatMap((issue) => readIssue(issue, data));
  const [first] = problems;
  if (!first) return refuse.validation();
  const { path, reason } = first;
  const value = path.length === 0 ? undefined : showValue(path, data);
  return refuse.validation({
    details: {
      ...(path.length === 0 ? {} : { field: showName(path.join('.')) }),
      ...(value === undefined ? {} : { value }),
      reason,
      problems: showProblems(problems),
    },
  });
}

type InvalidPart = { path: PropertyKey[]; reason: Reason; message: string };

function readIssue(issue: z.core.$ZodIssue, data: unknown): InvalidPart[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    // A schema may give its own reason as the message, which says where unknown fields belong.
    const reason = isReason(issue.message) ? issue.message : 'unknown_field';
    return issue.keys.map((key) => ({ path: [...path, key], reason, message: 'is not a known field' }));
  }
  if (path.length > 0 && valueAt(path, data) === undefined)
    return [{ path, reason: 'missing_field', message: 'is required' }];
  return [{ path, reason: 'invalid_value', message: issue.message }];
}

/** Stops at a bound: a body may have any number of wrong fields, with names of any length. */
function showProblems(parts: InvalidPart[]): FieldProblem[] {
  const shown: FieldProblem[] = [];
  let length = 0;
  for (const { path, message } of parts) {
    const problem = { field: showName(path.join('.')), message: message.slice(0, MAX_MESSAGE_LENGTH) };
    length += JSON.stringify(problem).length;
    if (shown.length > 0 && length > MAX_PROBLEMS_LENGTH) break;
    shown.push(problem);
  }
  return shown;
}

/** Returns the field's value, unless it may be a secret. */
function showValue(path: PropertyKey[], data: unknown): string | undefined {
  const value = valueAt(path, data);
  if (value === undefined || path.some((step) => SECRET_FIELD.test(String(step)))) return undefined;
  return showText(typeof value === 'string' ? value : JSON.stringify(value));
}

function valueAt(path: PropertyKey[], data: unknown): unknown {
  return path.reduce<unknown>((at, step) => (at as Record<PropertyKey, unknown> | null | undefined)?.[step], data);
}
