// The name `get_task_result` belongs to a project's tools with `polling`: no other tool of such a project may have it.

import { TASK_RESULT_TOOL } from '@toolgate/contract/tasks/rules.ts';
import type { App } from '../../../app.ts';
import { lockProjectRow } from '../../../database/lock-project-row.ts';
import type { Row } from '../../../database/tables.ts';
import { refuse } from '../../../errors/errors.ts';
import { selectNameConflict } from './name-store.ts';

/** Call in the transaction that saved the tools, before it commits. */
export async function refuseTaskName(
  { database }: App,
  project_id: string,
  saved: readonly Pick<Row<'custom_tools'>, 'name' | 'polling'>[],
): Promise<void> {
  const is_named = saved.some(({ name }) => name === TASK_RESULT_TOOL);
  if (!is_named && saved.every(({ polling }) => polling === null)) return;
  await lockProjectRow(database, project_id);
  const { has_name, has_polling } = await selectNameConflict(database, project_id);
  if (!has_name || !has_polling) return;
  const details = is_named
    ? ({ field: 'name', reason: 'name_reserved_for_tasks' } as const)
    : ({ field: 'polling', reason: 'tool_has_task_name' } as const);
  throw refuse.nameTaken({ details });
}
