// A response that becomes a file: stored while it arrives if memory may not hold it, else when it is there. Nobody can read it before
// its link is made, when the call is over; the file of a call that fails in the end is deleted.

import type { App } from '../../../../app.ts';
import { ApiError, refuse } from '../../../../errors/errors.ts';
import type { Overflow, ResponseHeaders } from '../../../../outbound/messages.ts';
import { redactStream } from '../../../../outbound/redact-secrets.ts';
import { deleteFile } from '../../../files/files/delete.ts';
import type { StoredFile } from '../../../files/files/file.ts';
import { ownerOf } from '../../../files/files/owner.ts';
import { type NewFile, storeFile } from '../../../files/files/store-file.ts';
import { kindByHeaders } from '../results/response-kind.ts';
import { mayBeJson, responseText } from '../results/response-text.ts';
import type { CallRun } from '../run.ts';
import { givenFileName, nameWithEnding } from './file-name-of-response.ts';

export const storesFiles = ({ caller }: Pick<CallRun, 'caller'>) => caller.project.settings.file_retention_seconds > 0;

/** What shapes the response: nothing, if the whole one is asked for. */
const shapingOfCall = ({ tool, call }: Pick<CallRun, 'tool' | 'call'>) =>
  call.raw === 'instead' ? null : tool.shaping;

/** Rules that have to see what they leave. */
export function keepsFilesBack(run: Pick<CallRun, 'tool' | 'call'>): boolean {
  const rule = shapingOfCall(run)?.compiled;
  return rule !== undefined && (rule.needs_json || rule.redact !== null);
}

/** A long response goes into a file, but JSON and what is shaped, which are cut. `secretForms`: of the credential that was sent. */
export function overflowIntoFile(app: App, run: CallRun, secretForms: () => readonly Buffer[]): Overflow | undefined {
  if (!storesFiles(run) || keepsFilesBack(run)) return undefined;
  return ({ status, headers }, beginning) => {
    if (status < 200 || status > 299 || !becomesFile(run, headers, beginning)) return null;
    return async (body) => {
      run.file = await store(app, run, headers, redactStream(body, secretForms()));
    };
  };
}

function becomesFile(run: CallRun, headers: ResponseHeaders, beginning: Buffer): boolean {
  const kind = kindByHeaders(headers);
  if (kind === 'file') return true;
  const type = headers['content-type'] ?? null;
  if (kind === 'json' || (mayBeJson(beginning) && responseText(type, beginning, true) !== null)) return false;
  // What is text is cut as the tool says.
  return shapingOfCall(run) === null;
}

export async function storeResponse(app: App, run: CallRun, headers: ResponseHeaders, body: Buffer): Promise<void> {
  run.file = await store(app, run, headers, [body], body.length);
}

async function store(
  app: App,
  { caller, tool }: CallRun,
  headers: ResponseHeaders,
  body: NewFile['body'],
  size?: number,
): Promise<StoredFile> {
  const content_type = headers['content-type'];
  const name = givenFileName(headers['content-disposition']) ?? nameWithEnding(tool.name, content_type);
  try {
    return await storeFile(app, ownerOf(caller), { name, content_type, body, size });
  } catch (error) {
    // It is the response that is too large, not what the caller sent.
    throw error instanceof ApiError && error.code === 'BODY_TOO_LARGE' ? tooLarge(error) : error;
  }
}

const tooLarge = ({ details: { limit_bytes } }: ApiError) =>
  refuse.resultTooLarge({ details: { limit_bytes, reason: 'file_too_large' } });

/** Nobody gets it. What cannot be deleted now expires. */
export async function discardFile(app: App, run: CallRun): Promise<void> {
  const { file } = run;
  run.file = null;
  if (file === null) return;
  await app.permits
    .run(run.caller.project, () => deleteFile(app, file))
    .catch((error: unknown) => app.log.warn({ err: error }, 'the file of a failed call was not deleted'));
}
