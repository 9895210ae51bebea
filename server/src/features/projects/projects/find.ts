// Finds a project by its id, and whether there is one.

import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { existsProject, firstOrganization, selectProject } from './store.ts';

/** The organization of the operator. */
export async function findFirstOrganization(app: App): Promise<string> {
  return firstOrganization(app.database);
}

/** For the root key and for accounts, which name a project instead of belonging to one. */
export async function findProject(app: App, project_id: string): Promise<Project | null> {
  return (
    app.cache.get<Project>('project', project_id) ??
    app.cache.getOrLoad('project', project_id, async () => {
      const value = await selectProject(app.database, project_id);
      return value && { project_id, value, has_secret: false };
    })
  );
}

export async function hasProjectsOf(app: App, organization_id: string): Promise<boolean> {
  return existsProject(app.database, organization_id);
}

export async function hasProjects(app: App): Promise<boolean> {
  return existsProject(app.database);
}
