// What a tool call that was refused looks like to a client and to a model, from the columns of its error in the contract.

import { type Appearance, appearanceOf } from '@toolgate/contract/error-row.ts';
import { errorRowOf, reasonRows } from '@toolgate/contract/errors.ts';
import type { ApiError } from './errors.ts';

const NOT_FIXABLE = 'Other arguments do not help: tell the user that the call failed, with its id.';
const TEMPORARY =
  "This may be temporary: the same call may succeed later. If it fails again, tell the user, with the call's id.";

/** How it appears over MCP. The call log keeps codes that the contract may no longer have: then the status decides. */
export const appearance = ({ status, code }: { status: number; code: string | null }): Appearance =>
  appearanceOf((code !== null && errorRowOf(code)) || { status });

/** Whether the same call may succeed later. */
export function isRetryable({ code, anchor, details }: ApiError): boolean {
  const retryable = reasonRows[anchor].retryable ?? errorRowOf(code)?.retryable ?? false;
  return typeof retryable === 'boolean' ? retryable : retryable.includes(Number(details.upstream_status));
}

/** Whether the call has not failed, but asks a person for something first. */
export const isQuestion = ({ code, anchor }: ApiError) =>
  reasonRows[anchor].is_question ?? errorRowOf(code)?.is_question ?? false;

/** One sentence or two for the model: what it can change, or that it cannot fix the call. */
export const adviceFor = (refusal: ApiError): string =>
  reasonRows[refusal.anchor].advice?.(refusal.details) ?? (isRetryable(refusal) ? TEMPORARY : NOT_FIXABLE);
