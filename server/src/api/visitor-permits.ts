// A request without a credential never uses the database permits of a tenant: anyone can send it. Such requests have a share of their
// own, in which the client networks take turns. It is not that of credential lookups either: a page costs more than a lookup.

import type { App } from '../app.ts';
import { clientNetwork } from '../limits/client-network.ts';

/** Whatever takes a permit of a project with this app takes one of the visitors instead. */
export function withVisitorPermits(app: App, ip: string): App {
  const network = clientNetwork(ip);
  return { ...app, permits: { run: (_user, work) => app.visits.run(network, work) } };
}
