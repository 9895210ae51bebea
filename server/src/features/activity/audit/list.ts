// Lists the audit entries of a project, or of an organization and its people.

import type { AuditEntry } from '@toolgate/contract/audit/audit-entry.ts';
import { accountOf, type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { readInTime } from '../../../database/read-in-time.ts';
import { showEntry } from './entry.ts';
import { type Collapse, type EntryFilter, pageOfEntries } from './store.ts';

export async function listEntries(
  app: App,
  caller: Caller,
  { limit, cursor, ...filter }: PageQuery & EntryFilter & { collapse?: Collapse },
): Promise<Page<AuditEntry>> {
  const owner = { project_id: projectOf(caller).id };
  const page = await readInTime(app, ({ database }) => pageOfEntries(database, owner, filter, { limit, cursor }));
  return makePage(page, page.rows.map(showEntry));
}

export async function listOrganizationEntries(
  app: App,
  caller: Caller,
  { limit, cursor, ...filter }: PageQuery & EntryFilter,
): Promise<Page<AuditEntry>> {
  const { organization_id } = accountOf(caller);
  const page = await readInTime(app, ({ database }) =>
    pageOfEntries(database, { organization_id }, filter, { limit, cursor }),
  );
  return makePage(page, page.rows.map(showEntry));
}
