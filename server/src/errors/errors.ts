// The refusals of this service, as errors that can be thrown. Their rows are in the contract: contract/src/errors.ts.
// http/error-response.ts and mcp/error-response.ts render them.

import { errorRows, type Reason, type RefusalName, reasonRows } from '@toolgate/contract/errors.ts';

/** `field` is dotted (`lines.0.sku`); empty when the value as a whole is wrong. */
export type FieldProblem = { field: string; message: string };

export type Details = {
  /** The first field that is wrong, and its value. */
  field?: string;
  value?: string;
  /** Which rule was broken, for programs. The code in lower case if nothing more exact is given. */
  reason?: Reason;
  /** What to do about it, for people; features/tools/calls/results/model-text.ts has what a model reads. That of the reason if nothing more exact is given. */
  remedy?: string;
  /** Every field that is wrong. */
  problems?: FieldProblem[];
  [more: string]: unknown;
};

export type RefusalOptions = {
  /** Never a secret. `reason` and `remedy` are added. */
  details?: Details;
  /** The rule, where the response must not name it: for the log and the request trace. */
  hidden_reason?: Reason;
  /** Only for the log, never in a response. A string is a reason outside of this service. An Error is a bug, logged with its stack. */
  cause?: unknown;
  /** Response headers of this refusal, such as Retry-After. */
  headers?: Record<string, string>;
};

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** As sent. */
  readonly details: Details;
  /** Which rule refused the request, and what to do: always known, also where `details` has neither. */
  readonly reason: Reason;
  readonly remedy: string;
  /** Where the page of errors explains it: the reason as sent, never a hidden one. */
  readonly anchor: Reason;
  readonly headers: Record<string, string>;

  constructor(name: RefusalName, { details = {}, hidden_reason, cause, headers = {} }: RefusalOptions = {}) {
    const { status, code, message, hides_details } = errorRows[name];
    super(message, { cause });
    const codeAsReason = code.toLowerCase() as Reason;
    const { reason = codeAsReason, remedy = reasonRows[reason].remedy, ...others } = details;
    this.status = status;
    this.code = code;
    this.details = hides_details ? {} : { ...others, reason, remedy };
    this.reason = hidden_reason ?? reason;
    this.remedy = hidden_reason ? reasonRows[hidden_reason].remedy : remedy;
    this.anchor = hides_details ? codeAsReason : reason;
    this.headers = headers;
  }
}

/** The page of this server that explains a refusal. */
export const docsUrl = (public_url: string, anchor: Reason) => `${public_url}/docs/errors#${anchor}`;

/** What REST has in `error`, and MCP in `error.data`. Where `details` must be empty, the remedy of the code is beside them. */
export function errorObject({ code, message, details, anchor }: ApiError, request_id: string, public_url: string) {
  const remedy = details.remedy === undefined ? { remedy: reasonRows[anchor].remedy } : {};
  return { code, message, details, request_id, docs_url: docsUrl(public_url, anchor), ...remedy };
}

/** `throw refuse.notFound()`: one function for each row of the contract. */
export const refuse = Object.fromEntries(
  Object.keys(errorRows).map((name) => [
    name,
    (options?: RefusalOptions) => new ApiError(name as RefusalName, options),
  ]),
) as Record<RefusalName, (options?: RefusalOptions) => ApiError>;

/** 503 for work of which too much waits already: the caller should try again after a few seconds. */
export const busy = (): ApiError => refuse.serviceUnavailable({ headers: { 'retry-after': '5' } });

/** 422 for one field, without its value: it may be a secret or very long. */
export function invalidField(field: string, message: string, more: Details = {}): ApiError {
  return refuse.validation({ details: { field, reason: 'invalid_value', ...more, problems: [{ field, message }] } });
}

/** One line for a person: the first field and what is wrong with it. */
export function describeRefusal({ message, details: { field, problems } }: ApiError): string {
  return [field, problems?.[0]?.message ?? message].filter(Boolean).join(': ');
}

/** The rows, for the documentation. */
export const refusals = Object.entries(errorRows).map(([name, row]) => ({
  name: name as RefusalName,
  ...row,
  reason: row.code.toLowerCase() as Reason,
}));
