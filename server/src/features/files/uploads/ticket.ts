// A call that needs a file which its caller cannot send: a person uploads it on a page whose link works once. The link holds no
// secret that is stored: a key of the project authenticates the id that the file will have.

import { createHmac } from 'node:crypto';
import { MAX_UPLOAD_TICKETS, UPLOAD_TICKET_SECONDS } from '@toolgate/contract/files/rules.ts';
import { isId } from '@toolgate/contract/ids.ts';
import type { ToolCaller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { transact } from '../../../database/transact.ts';
import { canonicalHash } from '../../../engines/json-text/canonical-json.ts';
import { refuse } from '../../../errors/errors.ts';
import { sameBytes } from '../../../secrets/tokens.ts';
import type { StoredFile } from '../files/file.ts';
import { findFile } from '../files/find.ts';
import { ownerOf } from '../files/owner.ts';
import {
  countOpenTickets,
  insertTicket,
  lockTickets,
  selectLinkedTicket,
  selectOpenTicket,
  selectUsedTicket,
  type TicketRow,
} from './store.ts';

const PURPOSE = 'upload ticket v1';
/** The same call gets the same link again while that works for at least so long. */
const MIN_REMAINING_MS = (UPLOAD_TICKET_SECONDS * 1000) / 2;

/** A call without the file that one of its arguments needs. */
export type CallWithoutFile = {
  tool: { id: string; name: string; definition_hash: string };
  /** The name of the file argument. */
  argument: string;
  /** As the caller gave them: also of several files that the call needs none is in them. */
  arguments: Readonly<Record<string, unknown>>;
};

export type UploadTicketRow = TicketRow;

export type UploadTicket = {
  /** The id that the file will have. */
  file_id: string;
  /** Where a person uploads it. */
  url: string;
  expires_at: string;
};

/** Throws 409 if 20 tickets of the caller are open, or the project stores no files. Do not hold a database permit. */
export async function openUploadTicket(app: App, caller: ToolCaller, call: CallWithoutFile): Promise<UploadTicket> {
  const { project, owner_id, member_id } = ownerOf(caller);
  if (project.settings.file_retention_seconds === 0) throw refuse.filesNotStored();
  const of_call = { project_id: project.id, owner_id, call_hash: hashOf(call) };
  const ticket = await app.permits.run(project, () =>
    transact(app, async (app) => {
      await lockTickets(app.database, of_call);
      const known = await selectOpenTicket(app.database, of_call, app.now() + MIN_REMAINING_MS);
      if (known) return known;
      if ((await countOpenTickets(app.database, of_call, app.now())) >= MAX_UPLOAD_TICKETS)
        throw refuse.limitReached({ details: { limit: MAX_UPLOAD_TICKETS, reason: 'too_many_upload_tickets' } });
      return insertTicket(app.database, {
        ...of_call,
        file_id: newId('fil'),
        member_id,
        tool_name: call.tool.name,
        argument: call.argument,
        // Whoever holds the link of a member from an assertion is shown who that is; this one can sign in.
        needs_sign_in: caller.kind === 'member' && caller.oauth_client_id !== null,
        expires_at: new Date(app.now() + UPLOAD_TICKET_SECONDS * 1000).toISOString(),
      });
    }),
  );
  const { file_id, expires_at } = ticket;
  return { file_id, url: `${app.config.public_url}/upload/${await linkOf(app, ticket)}`, expires_at };
}

/**
 * The file that was uploaded for this call. Only for members: others give the id, because many people may call with one key. Do
 * not hold a database permit.
 */
export async function findUploaded(
  app: App,
  caller: ToolCaller,
  call: CallWithoutFile,
): Promise<StoredFile | undefined> {
  if (caller.kind !== 'member') return undefined;
  const { project, owner_id } = ownerOf(caller);
  return app.permits.run(project, async () => {
    const of_call = { project_id: project.id, owner_id, call_hash: hashOf(call) };
    const used = await selectUsedTicket(app.database, of_call);
    return used && findFile(app, caller, used.file_id);
  });
}

/** Undefined if it is forged or has expired. It may have been used. */
export async function readUploadTicket(app: App, link: string): Promise<TicketRow | undefined> {
  const [, file_id = '', mac = ''] = /^(fil_\w+)\.([\w-]{43})$/.exec(link) ?? [];
  const ticket = isId('fil', file_id) ? await selectLinkedTicket(app.database, file_id, app.now()) : undefined;
  return ticket && sameBytes(Buffer.from(`${file_id}.${mac}`), Buffer.from(await linkOf(app, ticket)))
    ? ticket
    : undefined;
}

async function linkOf(app: App, { project_id, file_id }: TicketRow): Promise<string> {
  const key = await app.secrets.deriveKey(app.database, project_id, PURPOSE);
  return `${file_id}.${createHmac('sha256', key).update(file_id).digest('base64url')}`;
}

const hashOf = ({ tool, argument, arguments: given }: CallWithoutFile) =>
  canonicalHash([tool.id, tool.definition_hash, argument, given]);
