// Records that a project was submitted to a directory, with the definitions of its tools.

import type { DirectorySubmission, NewDirectorySubmission } from '@toolgate/contract/directories/directory.ts';
import { type Caller, creatorOf, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { lockProjectRow } from '../../../database/lock-project-row.ts';
import { transact } from '../../../database/transact.ts';
import { recorderOf } from '../../activity/events/record.ts';
import { deleteOlder, insertSubmission } from './store.ts';
import { showSubmission } from './submission.ts';

const MAX_KEPT = 100;

/** It has an audit entry and no event. */
const { recordChange } = recorderOf<Record<never, never>, 'directory_submission.created'>({});

export async function submitToDirectory(
  app: App,
  caller: Caller,
  { for: directory }: NewDirectorySubmission,
): Promise<DirectorySubmission> {
  const { id: project_id, settings } = projectOf(caller);
  return transact(app, async (app) => {
    await lockProjectRow(app.database, project_id);
    const row = await insertSubmission(app.database, {
      id: newId('dsub'),
      project_id,
      for: directory,
      version: settings.listing.version,
      created_by: creatorOf(caller),
    });
    await deleteOlder(app.database, row, MAX_KEPT);
    const data = showSubmission(row);
    await recordChange(app, caller, { type: 'directory_submission.created', target_id: row.id, data });
    return data;
  });
}
