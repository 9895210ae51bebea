// Checks whether the jti of an assertion was used. Only for the debug report: in the exchange the unique index decides.

import type { App } from '../../../app.ts';
import { isJtiStored } from './store.ts';

export async function isJtiUsed(app: App, project_id: string, jti: string): Promise<boolean> {
  return isJtiStored(app.database, project_id, jti, new Date(app.now()).toISOString());
}
