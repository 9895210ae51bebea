// Serves /projects/{id}/directory-report, /directory-submissions and /server.json.

import type { DirectorySubmission } from '@toolgate/contract/directories/directory.ts';
import { directoryRoutes } from '@toolgate/contract/directories/routes.ts';
import type { Directory } from '@toolgate/contract/directories/rules.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { readReport } from './read-report.ts';
import { readServerJson } from './server-json.ts';
import { pageOfSubmissions } from './store.ts';
import { showSubmission } from './submission.ts';
import { submitToDirectory } from './submit.ts';

export function serveDirectories(server: Server, app: App): void {
  implement(server, app, directoryRoutes, {
    getDirectoryReport: (app, { caller, query }) => readReport(app, caller, query.for),
    createDirectorySubmission: (app, { caller, body }) => submitToDirectory(app, caller, body),
    listDirectorySubmissions: (app, { caller, query }) => listSubmissions(app, caller, query),
    getServerJson: (app, { caller }) => readServerJson(app, caller),
  });
}

async function listSubmissions(
  app: App,
  caller: Caller,
  query: PageQuery & { for?: Directory | undefined },
): Promise<Page<DirectorySubmission>> {
  const page = await pageOfSubmissions(app.database, projectOf(caller).id, query);
  return makePage(page, page.rows.map(showSubmission));
}
