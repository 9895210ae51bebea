// What a person uploads for a call: it becomes a file of the caller, and the ticket is used up in the same transaction.

import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { findProject } from '../../projects/projects/find.ts';
import type { StoredFile } from '../files/file.ts';
import { type NewFile, storeFileWith } from '../files/store-file.ts';
import { type TicketRow, useTicket } from './store.ts';

/** Throws what storeFile throws, and 404 if the ticket was used. One that fails leaves the ticket open. */
export async function storeUpload(app: App, ticket: TicketRow, file: Omit<NewFile, 'id'>): Promise<StoredFile> {
  const { project_id, file_id, owner_id, member_id } = ticket;
  const project = await findProject(app, project_id);
  if (!project || ticket.used_at !== null) throw refuse.notFound();
  return storeFileWith(app, { project, owner_id, member_id }, { ...file, id: file_id }, (app, finish) =>
    transact(app, async (app) => {
      if (!(await useTicket(app.database, ticket, app.now()))) throw refuse.notFound();
      return finish(app);
    }),
  );
}
