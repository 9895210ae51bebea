// Threads let the main thread run first when there are more threads than processors: it serves everybody, and they work for one
// caller each. A tenth of a processor is left to them, however busy the main thread is.

import { constants, getPriority, setPriority } from 'node:os';

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;

/** For the thread that calls this. Only Linux has a priority for each thread (setpriority(2)): elsewhere it would be that of the process. */
export function yieldToMainThread(): void {
  if (process.platform === 'linux') setPriority(Math.min(getPriority() + PRIORITY_BELOW_NORMAL, PRIORITY_LOW));
}
