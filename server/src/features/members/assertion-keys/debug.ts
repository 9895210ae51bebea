// POST /assertion-keys/debug: reports how the exchange would verify an assertion, rule by rule. It writes nothing.

import type { AssertionReport, AssertionToDebug } from '@toolgate/contract/assertion-keys/assertion-report.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { findToolsetIds } from '../../policies/toolsets/slugs.ts';
import { explainAssertion } from './explain-assertion.ts';
import { findActiveKey } from './find-active-key.ts';
import { isJtiStored } from './store.ts';

export async function debugAssertion(
  app: App,
  caller: Caller,
  { member_assertion }: AssertionToDebug,
): Promise<AssertionReport> {
  const project = projectOf(caller);
  const project_id = project.id;
  return explainAssertion({
    token: member_assertion,
    project_id,
    now: app.now(),
    findKey: (kid) => findActiveKey(app, project_id, kid),
    findToolsets: (slugs) => findToolsetIds(app, project, slugs, { holds_permit: true }),
    isJtiUsed: (jti) => isJtiUsed(app, project_id, jti),
  });
}

async function isJtiUsed(app: App, project_id: string, jti: string): Promise<boolean> {
  return isJtiStored(app.database, project_id, jti, new Date(app.now()).toISOString());
}
