// Serves /projects/{id}/directory-report, /directory-submissions and /server.json.

import { directoryRoutes } from '@toolgate/contract/directories/routes.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { listSubmissions } from './list.ts';
import { readReport } from './read-report.ts';
import { readServerJson } from './server-json.ts';
import { submitToDirectory } from './submit.ts';

export function serveDirectories(server: Server, app: App): void {
  implement(server, app, directoryRoutes, {
    getDirectoryReport: (app, { caller, query }) => readReport(app, caller, query.for),
    createDirectorySubmission: (app, { caller, body }) => submitToDirectory(app, caller, body),
    listDirectorySubmissions: (app, { caller, query }) => listSubmissions(app, caller, query),
    getServerJson: (app, { caller }) => readServerJson(app, caller),
  });
}
