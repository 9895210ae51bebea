// Commands that go on until Ctrl-C.

import type { Context } from './context.ts';

/** Runs until the work ends by itself or the user stops it; then its signal is aborted and that is success. */
export async function untilInterrupted(
  { onInterrupt }: Context,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  const removeListener = onInterrupt(() => controller.abort());
  try {
    await work(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
  } finally {
    removeListener();
  }
}
