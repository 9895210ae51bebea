// Whether a caller sees a tool whose calls may become tasks.

import type { TokenCaller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { existsPolling } from './name-store.ts';

export const seesPolling = (app: App, { project, kind, layers }: TokenCaller): Promise<boolean> =>
  app.permits.run(project, () => existsPolling(app.database, project.id, { with_member: kind === 'member', layers }));
