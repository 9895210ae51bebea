// Anyone can send sign-ins, sign-outs, set-ups and invitations. Their database work shares the few slots of credential lookups, which go round
// the networks: it cannot use up the connections that other requests need.

import type { App } from '../../../app.ts';
import { clientNetwork } from '../../../limits/client-network.ts';

/** Never inside of itself: the inner work would wait for the slot of the outer. */
export function queueByNetwork<T>(app: App, { ip }: { ip: string }, work: () => Promise<T>): Promise<T> {
  return app.lookups.run(clientNetwork(ip), work);
}
