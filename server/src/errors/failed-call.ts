// A tool call that ended with a refusal and is in the call log: the result of a call, which a transport may throw to its renderer.

import type { ApiError } from './errors.ts';

export class FailedCall extends Error {
  readonly refusal: ApiError;
  readonly call_id: string;
  /** The renderer of the response does not log it again. */
  readonly is_logged: boolean;

  constructor(refusal: ApiError, call_id: string, is_logged: boolean) {
    super(refusal.message, { cause: refusal });
    this.refusal = refusal;
    this.call_id = call_id;
    this.is_logged = is_logged;
  }
}
