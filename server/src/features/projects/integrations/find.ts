// Finds an integration, for what belongs to one.

import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { selectIntegration } from './store.ts';

export async function findIntegration(app: App, caller: Caller, id: string) {
  return selectIntegration(app.database, projectOf(caller).id, id);
}
