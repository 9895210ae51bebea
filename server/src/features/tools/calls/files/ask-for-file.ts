// A required file that the caller left out: what a member uploaded for this very call is taken, else a person is asked to upload it.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../../../app.ts';
import { type ApiError, refuse } from '../../../../errors/errors.ts';
import { InputRequired } from '../../../../errors/input-required.ts';
import type { StoredFile } from '../../../files/files/file.ts';
import {
  type CallWithoutFile,
  findUploaded,
  openUploadTicket,
  type UploadTicket,
} from '../../../files/uploads/ticket.ts';
import { visible } from '../../approvals/message.ts';
import type { CallRun } from '../run.ts';
import { type CallFile, storedCallFile, tellFiles } from './call-file.ts';

const HELD_MS = 20_000;
const POLL_MS = 500;

/** Adds them to `files`. Throws if a person has to upload one of them first. */
export async function takeUploaded(app: App, run: CallRun, files: Map<string, CallFile>): Promise<void> {
  const { tool, given } = run;
  const missing = tool.required_files.filter((name) => given[name] === undefined);
  if (missing.length === 0) return;
  // Of the files that are there, what they are: what a chat application refers to has another URL in each call.
  const others = tellFiles(
    Object.fromEntries(Object.entries(given).filter(([name]) => !missing.includes(name))),
    files,
  );
  for (const argument of missing) {
    const call = { tool, argument, arguments: others };
    const uploaded = (await findUploaded(app, run.caller, call)) ?? (await waitFor(app, run, call));
    if (!uploaded) throw await question(app, run, call);
    files.set(argument, storedCallFile(app, uploaded));
    run.given = { ...run.given, [argument]: uploaded.id };
  }
}

/** Its user opened the page a moment ago, and may still be there. Undefined if nothing was uploaded. */
async function waitFor(app: App, run: CallRun, call: CallWithoutFile): Promise<StoredFile | undefined> {
  const { elicitation, requester } = run.call;
  if (elicitation?.upload !== 'accept' || run.caller.kind !== 'member') return undefined;
  const since = performance.now();
  let uploaded: StoredFile | undefined;
  while (!uploaded && performance.now() - since < HELD_MS && !requester?.is_gone) {
    await sleep(POLL_MS);
    uploaded = await findUploaded(app, run.caller, call);
  }
  run.waited_ms += performance.now() - since;
  return uploaded;
}

/** Who has no member gives the id of the file, which only the refusal names. */
async function question(app: App, { caller, call, tool }: CallRun, asked: CallWithoutFile): Promise<Error> {
  const ticket = await openUploadTicket(app, caller, asked);
  const refusal = fileRequired(asked, ticket, caller.kind === 'member');
  const { elicitation } = call;
  const refused = elicitation?.upload === 'decline' || elicitation?.upload === 'cancel';
  if (!elicitation?.url || refused || caller.kind !== 'member') return refusal;
  const message = `Upload the file for ${visible(asked.argument)} of ${visible(tool.title)}`;
  return new InputRequired(
    { kind: 'url', key: 'upload', message, url: ticket.url, id: randomUUID(), state: null },
    refusal,
  );
}

function fileRequired(
  { argument }: CallWithoutFile,
  { file_id, url, expires_at }: UploadTicket,
  is_member: boolean,
): ApiError {
  const remedy = is_member
    ? 'A person has to upload the file. Then call again with the same arguments.'
    : `A person has to upload the file. Then call again with ${argument} set to ${file_id}.`;
  return refuse.fileRequired({ details: { field: argument, upload_url: url, file_id, expires_at, remedy } });
}
