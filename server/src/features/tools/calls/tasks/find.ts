// Finds tasks for a caller: its own, or all with `admin`; and only those of tools that it sees. Any other one does not exist.

import { isId } from '@toolgate/contract/ids.ts';
import type { Task } from '@toolgate/contract/tasks/task.ts';
import { type Caller, hasPermission, projectOf } from '../../../../access/caller.ts';
import { isGranted } from '../../../../access/grant-layer.ts';
import { refusingLayer } from '../../../../access/layers.ts';
import type { App } from '../../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../../database/page.ts';
import { ApiError, refuse } from '../../../../errors/errors.ts';
import { callerId } from '../../../files/files/owner.ts';
import { selectSeenIds } from '../../catalogue/listing-store.ts';
import { pageOfTasks, selectTask, selectToolIds, type TaskFilter } from '../../tasks/store.ts';
import { showTask, type TaskRow } from '../../tasks/task.ts';
import type { PreparedTool } from '../prepared-tool.ts';
import { loadTool } from '../tool-cache.ts';

/** A task with its tool, as the caller sees it. */
export type FoundTask = { task: TaskRow; tool: PreparedTool };

export async function findTask(app: App, caller: Caller, id: string): Promise<FoundTask> {
  const project = projectOf(caller);
  const task = isId('tsk', id) ? await selectTask(app.database, project.id, id, app.now()) : undefined;
  if (!task || !(task.subject_id === callerId(caller) || seesAll(caller))) throw refuse.notFound();
  const tool = await toolOf(app, caller, task.tool_id);
  if (!tool || !isSeen(caller, tool)) throw refuse.notFound();
  return { task, tool };
}

async function toolOf(app: App, caller: Caller, tool_id: string): Promise<PreparedTool | null> {
  try {
    return await loadTool(app, projectOf(caller), tool_id);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

function isSeen(caller: Caller, { is_enabled, require_member, toolsets }: PreparedTool): boolean {
  if (caller.kind === 'account' || caller.kind === 'root') return true;
  if (!is_enabled || (require_member && caller.kind !== 'member' && !seesAll(caller))) return false;
  if (refusingLayer(caller.layers, toolsets) !== null) return false;
  return caller.kind !== 'member' || caller.grant === null || isGranted(caller.grant, toolsets);
}

/** A member never sees the task of another one, whatever its session may do. */
const seesAll = (caller: Caller) => caller.kind !== 'member' && hasPermission(caller, 'admin');

export async function listTasks(
  app: App,
  caller: Caller,
  filter: Pick<TaskFilter, 'status' | 'tool_id'>,
  query: PageQuery,
): Promise<Page<Task>> {
  const { id } = projectOf(caller);
  // Nothing has an empty id: a caller without one sees nobody's.
  const subject_id = seesAll(caller) ? undefined : (callerId(caller) ?? '');
  const seen = { subject_id, tool_ids: await seenTools(app, caller) };
  const page = await pageOfTasks(app.database, id, { ...filter, ...seen }, { ...query, now: app.now() });
  return makePage(page, page.rows.map(showTask));
}

/** Undefined: all. */
async function seenTools(app: App, caller: Caller): Promise<string[] | undefined> {
  if (caller.kind === 'account' || caller.kind === 'root') return undefined;
  if (caller.kind === 'member' && caller.grant !== null) return grantedTools(app, caller);
  const with_member = caller.kind === 'member' || seesAll(caller);
  return selectSeenIds(app.database, projectOf(caller).id, { with_member, layers: caller.layers });
}

/** Of what the member has tasks of: what the person granted to this client is known for one tool at a time. */
async function grantedTools(app: App, caller: Extract<Caller, { kind: 'member' }>): Promise<string[]> {
  const granted: string[] = [];
  for (const id of await selectToolIds(app.database, projectOf(caller).id, caller.member_id)) {
    const tool = await toolOf(app, caller, id);
    if (tool && isSeen(caller, tool)) granted.push(id);
  }
  return granted;
}
