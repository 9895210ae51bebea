// Lists what was submitted to directories.

import type { DirectorySubmission } from '@toolgate/contract/directories/directory.ts';
import type { Directory } from '@toolgate/contract/directories/rules.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { pageOfSubmissions } from './store.ts';
import { showSubmission } from './submission.ts';

export async function listSubmissions(
  app: App,
  caller: Caller,
  query: PageQuery & { for?: Directory | undefined },
): Promise<Page<DirectorySubmission>> {
  const page = await pageOfSubmissions(app.database, projectOf(caller).id, query);
  return makePage(page, page.rows.map(showSubmission));
}
