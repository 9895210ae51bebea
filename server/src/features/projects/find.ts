// Which projects a caller can see.

import type { Project } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { Page, PageQuery } from '../../database/page.ts';
import { type ProjectAnswer, showProject } from './project.ts';
import { pageOfProjects, selectOrganization, selectProject } from './store.ts';

/** For the root key, which names a project instead of belonging to one. */
export async function findProject(app: App, project_id: string): Promise<Project | null> {
  return (
    app.cache.get<Project>('project', project_id) ??
    app.cache.getOrLoad('project', project_id, async () => {
      const value = await selectProject(app.database, project_id);
      return value && { project_id, value };
    })
  );
}

/** Whose project it is, also after it was deleted. */
export async function findOwner(app: App, project_id: string): Promise<Pick<Project, 'id' | 'organization_id'>> {
  return { id: project_id, organization_id: await selectOrganization(app.database, project_id) };
}

/** Every project, for the root key. */
export async function listProjects(app: App, query: PageQuery): Promise<Page<ProjectAnswer>> {
  const page = await pageOfProjects(app.database, query);
  return { ...page, data: page.data.map(showProject) };
}

const pages = new WeakMap<Project, string>();

/** A project key sees its own project, which came with the key: written once for as long as that is remembered. */
export function pageOfOwn(project: Project): string {
  let text = pages.get(project);
  if (text === undefined) {
    const page: Page<ProjectAnswer> = {
      object: 'list',
      data: [showProject(project)],
      has_more: false,
      next_cursor: null,
    };
    text = JSON.stringify(page);
    pages.set(project, text);
  }
  return text;
}
