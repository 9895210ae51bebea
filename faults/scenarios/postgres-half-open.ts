import { duringFault } from '../ledger.ts';
import type { Stage } from '../stage.ts';
import { underLoad } from '../under-load.ts';

/**
 * Under load, every open connection to PostgreSQL stays open and transports nothing any more, as after a firewall forgot it. New
 * connections work: the fault is over at once, and what follows is the time to notice it.
 */
export const postgresHalfOpen = (stage: Stage, options: { seconds: number }) =>
  underLoad(stage, options, ({ ledger }) => duringFault(ledger, () => stage.proxies.act('leaveHalfOpen')));
