// One error of the API: everything that is known of it, in one row. A feature declares its rows in its errors.ts, and errors.ts
// assembles them. The server throws them (server/src/errors/errors.ts); the reference and the page /docs/errors show them.

import type { Step } from './trace-steps.ts';

export type ErrorRow = {
  status: number;
  /** For programs. In lower case it is also the reason, unless the refusal gives a more exact one. */
  code: Uppercase<string>;
  /** The same for every error with this code. Spec 7 fixes most of them. */
  message: string;
  /** Why it happens, in a sentence for the page of errors. */
  cause: string;
  /** What to do about it, in one imperative sentence. A refusal may replace it by one with numbers or names. */
  remedy: string;
  /** The step of the request that failed: of any request, or of one that is not a tool call, would have been one, or is one. */
  step: Step | { request: Step; call_request: Step; call: Step };
  /** Its `details` are always empty (contract 2): nothing that was sent is to blame, or a stranger would learn which keys exist. */
  hides_details?: true;
  /**
   * How a tool call that ends with it appears over MCP: as an HTTP status, as a result with `isError`, or as a JSON-RPC error. Only
   * where the status of the row does not decide it: see appearanceOf().
   */
  over_mcp?: Appearance;
} & OfCall;

export type Appearance = 'status' | 'result' | 'error';

/** What a model learns about a tool call that ends with the error. */
type OfCall = {
  /** Whether the same call may succeed later. A list: if the API behind the tool returned one of these statuses. */
  retryable?: boolean | readonly number[];
  /** What the model reads, besides the message and the details. Null or none: whether a repetition may help. */
  advice?: (details: { readonly remedy?: string; readonly [more: string]: unknown }) => string | null | undefined;
  /** The call has not failed: it asks a person for something first. */
  is_question?: boolean;
};

/** The remedy says what to change in the call, so that a model can follow it. Other remedies are for the people who run the tool. */
export const remedyForModel: NonNullable<OfCall['advice']> = ({ remedy }) => remedy;

/** One rule of several that share a code. */
export type ReasonRow = {
  cause: string;
  remedy: string;
  /** For tool calls, where it differs from the step of the code. */
  step?: Step;
} & OfCall;

/** A model can correct a failed call. It cannot correct a credential, a missing permission, the rate limit of the plan or an outage. */
const statusesForClients: ReadonlySet<number> = new Set([401, 403, 429, 503]);

export const appearanceOf = ({ status, over_mcp }: Pick<ErrorRow, 'status' | 'over_mcp'>): Appearance =>
  over_mcp ?? (statusesForClients.has(status) ? 'status' : 'result');
