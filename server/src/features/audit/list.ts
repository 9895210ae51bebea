// Lists the audit entries of a project, or of an organization and its people.

import { accountOf, type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { Page, PageQuery } from '../../database/page.ts';
import { type AuditEntry, showEntry } from './entry.ts';
import { type EntryFilter, pageOfEntries } from './store.ts';

export async function listEntries(
  app: App,
  caller: Caller,
  { limit, cursor, ...filter }: PageQuery & EntryFilter,
): Promise<Page<AuditEntry>> {
  const page = await pageOfEntries(app.database, { project_id: projectOf(caller).id }, filter, { limit, cursor });
  return { ...page, data: page.data.map(showEntry) };
}

export async function listOrganizationEntries(
  app: App,
  caller: Caller,
  { limit, cursor, ...filter }: PageQuery & EntryFilter,
): Promise<Page<AuditEntry>> {
  const { organization_id } = accountOf(caller);
  const page = await pageOfEntries(app.database, { organization_id }, filter, { limit, cursor });
  return { ...page, data: page.data.map(showEntry) };
}
