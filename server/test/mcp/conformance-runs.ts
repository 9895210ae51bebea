// One server, one project with the tools of the suite, one run for each revision.

import { after } from 'node:test';
import { startCustomer } from '../fake-customer.ts';
import { makeTenant } from '../make.ts';
import { startServer } from '../start-server.ts';
import { makeConformanceTools } from './conformance-tools.ts';
import { notApplicable, type Revision, revisions } from './not-applicable.ts';
import { type Run, runConformance } from './run-conformance.ts';

export async function runAllRevisions(): Promise<Map<Revision, Run>> {
  const customer = await startCustomer();
  after(() => customer.close());
  const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
  const { keys } = await makeTenant(server);
  await makeConformanceTools(server, keys.admin, customer);
  const runs = new Map<Revision, Run>();
  for (const revision of revisions) {
    const expected = notApplicable.flatMap((group) => group[revision]);
    runs.set(revision, await runConformance(server.url, keys.read, revision, expected));
  }
  return runs;
}
