// Who waits for the response of a call. A call ends when its requester is gone: nobody will read the response. A set and not an
// AbortSignal: that is an event target with listeners that may be weak, and took 2 % of a tool call.

export type Requester = {
  is_gone: boolean;
  /** Those that run or wait for a slot. */
  readonly calls: Set<{ requesterGone(): void }>;
};

export const createRequester = (): Requester => ({ is_gone: false, calls: new Set() });

/** Ends all its calls, also those that begin later. */
export function leave(requester: Requester): void {
  requester.is_gone = true;
  for (const call of requester.calls) call.requesterGone();
}
