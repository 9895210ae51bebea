// Changes to an integration, and its end.

import { z } from 'zod';
import { type Caller, projectOf } from '../../access/caller.ts';
import { name } from '../../api/fields.ts';
import type { App } from '../../app.ts';
import { transact } from '../../database/transact.ts';
import { refuse } from '../../errors.ts';
import { description, type Integration, showIntegration } from './integration.ts';
import { removeIntegration, updateIntegration } from './store.ts';

export const integrationChange = z.strictObject({ name, description }).partial().meta({ id: 'IntegrationChange' });

export async function changeIntegration(
  app: App,
  caller: Caller,
  id: string,
  change: z.infer<typeof integrationChange>,
): Promise<Integration> {
  const row = await updateIntegration(app.database, projectOf(caller).id, id, change);
  if (!row) throw refuse.notFound();
  return showIntegration(row);
}

/** Ends its keys, and with them the sessions they made. */
export async function deleteIntegration(app: App, caller: Caller, id: string): Promise<void> {
  const project = projectOf(caller);
  await transact(app, async (app) => {
    if (!(await removeIntegration(app.database, project.id, id))) throw refuse.notFound();
    app.changes.add(project.id);
  });
}
