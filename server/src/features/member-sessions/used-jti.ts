// Whether the jti of an assertion was exchanged already. Only for the report: the exchange itself leaves it to the index.

import type { App } from '../../app.ts';
import { isJtiStored } from './store.ts';

export async function isJtiUsed(app: App, project_id: string, jti: string): Promise<boolean> {
  return isJtiStored(app.database, project_id, jti, new Date(app.now()).toISOString());
}
