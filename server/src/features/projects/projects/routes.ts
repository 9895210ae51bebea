// Serves /projects, with their settings, usage and retention.

import { projectRoutes } from '@toolgate/contract/projects/routes.ts';
import { projectOf } from '../../../access/caller.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { createProject } from './create.ts';
import { deleteProject } from './delete.ts';
import { listProjects } from './list.ts';
import { showProject } from './project.ts';
import { updateProject } from './update.ts';
import { updateSettings } from './update-settings.ts';
import { readUsage } from './usage.ts';

export function serveProjects(server: Server, app: App): void {
  implement(
    server,
    app,
    projectRoutes,
    {
      listProjects: (app, { caller, query }) => listProjects(app, caller, query),
      createProject: (app, { caller, body }) => createProject(app, caller, body),
      getProject: (_app, { caller }) => showProject(projectOf(caller)),
      updateProject: (app, { caller, body }) => updateProject(app, caller, body),
      deleteProject: (app, { caller }) => deleteProject(app, caller),
      getProjectSettings: (_app, { caller }) => projectOf(caller).settings,
      updateProjectSettings: (app, { caller, body }) => updateSettings(app, caller, body),
      getUsage: (app, { caller, raw }) => readUsage(app, caller, raw.rate_limit),
      getRetention: ({ config }) => ({ object: 'retention' as const, ...config.retention }),
    },
    {
      listProjects: { database_permit: false },
      getProject: { database_permit: false, operators_of_all: true },
      updateProject: { operators_of_all: true },
      getProjectSettings: { database_permit: false },
      getUsage: { database_permit: false },
      getRetention: { database_permit: false },
    },
  );
}
