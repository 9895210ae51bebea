// A file that a chat application refers to: downloaded through the address guard, from the hosts that the operator allows, and stored
// for as long as the call lasts.

import { MAX_FILE_BYTES } from '@toolgate/contract/files/rules.ts';
import type { App } from '../../../../app.ts';
import { ApiError } from '../../../../errors/errors.ts';
import { type OutboundResponse, SendError } from '../../../../outbound/messages.ts';
import type { StoredFile } from '../../../files/files/file.ts';
import { ownerOf } from '../../../files/files/owner.ts';
import { type NewFile, storeFile } from '../../../files/files/store-file.ts';
import type { CallRun } from '../run.ts';
import { givenFileName, nameWithEnding } from './file-name-of-response.ts';

const TIMEOUT_MS = 30_000;
/** More goes to storage while it arrives. */
const IN_MEMORY_BYTES = 256 * 1024;

export type ChatFile = { download_url: string; mime_type?: unknown; file_name?: unknown };

const NOT_ALLOWED = 'must have a download_url with HTTPS, at a host that the operator allows in TOOLGATE_FILE_HOSTS';
const NOT_DOWNLOADED = 'could not be downloaded from its download_url: send it again, or upload it';
const TOO_LARGE = `must be at most ${MAX_FILE_BYTES} bytes`;

/** The text says what is wrong with it. Whatever keeps it from being reached looks the same. */
export async function downloadFile(
  app: App,
  run: CallRun,
  argument: string,
  given: ChatFile,
): Promise<StoredFile | string> {
  const url = allowedUrl(app, given.download_url);
  if (url === null) return NOT_ALLOWED;
  const began = performance.now();
  try {
    return (await receive(app, run, url, { argument, given })) ?? NOT_DOWNLOADED;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'BODY_TOO_LARGE') return TOO_LARGE;
    if (!(error instanceof SendError) || error.kind === 'aborted') throw error;
    const { id: project_id } = run.caller.project;
    app.log.warn({ project_id, kind: error.kind, reason: error.reason }, 'a file was not downloaded');
    return NOT_DOWNLOADED;
  } finally {
    run.waited_ms += performance.now() - began;
  }
}

function allowedUrl({ config }: App, text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return null;
  const isAllowed = config.file_hosts.some((host) =>
    host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : url.hostname === host,
  );
  return isAllowed ? url : null;
}

/** Undefined for any response but a 200: redirects are not followed. */
async function receive(
  app: App,
  { caller, call }: CallRun,
  url: URL,
  { argument, given }: { argument: string; given: ChatFile },
): Promise<StoredFile | undefined> {
  let stored: StoredFile | undefined;
  const store = async ({ headers }: Pick<OutboundResponse, 'headers'>, body: NewFile['body'], size?: number) => {
    const type = typeof given.mime_type === 'string' ? given.mime_type : headers['content-type'];
    const own = typeof given.file_name === 'string' && given.file_name !== '' ? given.file_name : null;
    const name = own ?? givenFileName(headers['content-disposition']) ?? nameWithEnding(argument, type);
    stored = await storeFile(app, ownerOf(caller), { name, content_type: type, body, size });
  };
  const response = await app.send({
    isolation_key: caller.project.fairness_key,
    isolation_part: 'file downloads',
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: 'GET',
    headers: { accept: '*/*' },
    timeout_ms: TIMEOUT_MS,
    max_response_bytes: IN_MEMORY_BYTES,
    overflow: (head) => (head.status === 200 ? (body) => store(head, body) : null),
    requester: call.requester,
  });
  if (response.status !== 200) return undefined;
  if (!stored) await store(response, [response.body], response.body.length);
  return stored;
}
