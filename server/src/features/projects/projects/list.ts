// Lists the projects that a caller can see: all of them for the root key, those of its organization for an account, its own for
// a project key.

import type { Project as ProjectResource } from '@toolgate/contract/projects/project.ts';
import type { Caller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page } from '../../../database/page.ts';
import { showProject } from './project.ts';
import { type ProjectPageQuery, pageOfProjects } from './store.ts';

export async function listProjects(app: App, caller: Caller, query: ProjectPageQuery): Promise<Page<ProjectResource>> {
  if (caller.kind !== 'root' && caller.kind !== 'account') {
    const is_listed = query.is_archived === undefined || query.is_archived === caller.project.is_archived;
    return { object: 'list', data: is_listed ? [showProject(caller.project)] : [], has_more: false, next_cursor: null };
  }
  const page = await pageOfProjects(app.database, caller.kind === 'account' ? caller.organization_id : null, query);
  return makePage(page, page.rows.map(showProject));
}
