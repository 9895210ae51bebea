// Finds a file for a caller. One of somebody else, one that has expired and one that never was look the same.

import { isId } from '@toolgate/contract/ids.ts';
import { type Caller, hasPermission, projectOf, type TestCaller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import type { StoredFile } from './file.ts';
import { callerId } from './owner.ts';
import { selectFile } from './store.ts';

export async function findFile(app: App, caller: Caller | TestCaller, id: string): Promise<StoredFile | undefined> {
  const project_id = (caller.kind === 'test' ? caller.project : projectOf(caller)).id;
  const file = isId('fil', id) ? await selectFile(app.database, project_id, id, app.now()) : undefined;
  return file && (file.owner_id === callerId(caller) || seesAll(caller)) ? file : undefined;
}

export async function getFile(app: App, caller: Caller, id: string): Promise<StoredFile> {
  const file = await findFile(app, caller, id);
  if (!file) throw refuse.notFound();
  return file;
}

/** A member never sees the file of another one, whatever its session may do. */
const seesAll = (caller: Caller | TestCaller) =>
  caller.kind !== 'member' && caller.kind !== 'test' && hasPermission(caller, 'admin');
