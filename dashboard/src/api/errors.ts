// A failed request in words: what the API said, what to do about it, and the request id.

import { ToolgateError } from '@toolgate/sdk';

type Described = { message: string; remedy: string | null; requestId: string | null };

export function describeError(error: unknown): Described {
  if (!(error instanceof ToolgateError)) {
    return { message: error instanceof Error ? error.message : 'Something went wrong', remedy: null, requestId: null };
  }
  if (error.status === null) {
    const remedy = 'Check that the server is running and that you are online.';
    return { message: 'toolgate does not respond', remedy, requestId: null };
  }
  const { reason, retry_after_seconds: wait } = error.details;
  // Who waits for the hour of a project can do something about it: its remedy says what.
  if (typeof wait === 'number' && reason !== 'rate_limit_exceeded') {
    const text = `Wait ${wait === 1 ? 'a second' : `${wait} seconds`}, then try again.`;
    return { message: error.message, remedy: text, requestId: error.requestId };
  }
  return { message: error.message, remedy: error.remedy, requestId: error.requestId };
}
