// Lists the audit entries of a project.

import { type Caller, projectOf } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { Page, PageQuery } from '../../database/page.ts';
import { type AuditEntry, showEntry } from './entry.ts';
import { type EntryFilter, pageOfEntries } from './store.ts';

export async function listEntries(
  app: App,
  caller: Caller,
  { limit, cursor, ...filter }: PageQuery & EntryFilter,
): Promise<Page<AuditEntry>> {
  const page = await pageOfEntries(app.database, projectOf(caller).id, filter, { limit, cursor });
  return { ...page, data: page.data.map(showEntry) };
}
