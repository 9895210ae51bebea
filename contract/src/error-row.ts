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
};

/** One rule of several that share a code. */
export type ReasonRow = {
  cause: string;
  remedy: string;
  /** For tool calls, where it differs from the step of the code. */
  step?: Step;
};
