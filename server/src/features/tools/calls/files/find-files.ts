// Finds the files that the arguments of a call name, before hooks and people are told of them. Their bytes are read when they are sent.

import { createHash } from 'node:crypto';
import { MAX_BASE64_BYTES } from '@toolgate/contract/custom-tools/file-arguments.ts';
import { isId } from '@toolgate/contract/ids.ts';
import type { App } from '../../../../app.ts';
import type { Problem } from '../../../../engines/json-schema/problem.ts';
import { safeContentType } from '../../../files/files/content-type.ts';
import { deleteFile } from '../../../files/files/delete.ts';
import { safeFileName } from '../../../files/files/file-name.ts';
import { findFile } from '../../../files/files/find.ts';
import { type Arguments, invalidArguments } from '../arguments.ts';
import type { CallRun } from '../run.ts';
import { takeUploaded } from './ask-for-file.ts';
import { type CallFile, type CallFiles, storedCallFile, tellFiles } from './call-file.ts';
import { readDataUri } from './data-uri.ts';
import { type ChatFile, downloadFile } from './download-file.ts';
import { nameWithEnding } from './file-name-of-response.ts';

const NOT_A_FILE = 'must be the id of an uploaded file (fil_…), or a data: URI';
/** One of somebody else looks like one that never was. */
const NOT_FOUND = 'is not one of your files, or has expired: upload it again';

/** Throws 422 with every argument that names no file. */
export async function findFiles(app: App, run: CallRun): Promise<void> {
  const { tool, given } = run;
  const problems: Problem[] = [];
  const files = new Map<string, CallFile>();
  for (const name of tool.file_arguments) {
    if (given[name] === undefined || given[name] === null) continue;
    const found = await findOne(app, run, name, given[name]);
    if (typeof found === 'string') problems.push({ field: name, message: found });
    else files.set(name, found);
  }
  if (problems.length === 0) await takeUploaded(app, run, files);
  if (problems.length === 0 && !tool.shape.sends_files) refuseLarge(files, problems);
  if (problems.length > 0) throw invalidArguments(problems);
  run.files = files;
}

/** The call as everybody else is told of it, with these arguments. */
export function tellCall(run: CallRun, given: Arguments): void {
  run.told = { ...run.call, arguments: tellFiles(given, run.files) };
}

/** The text says what is wrong with it. */
async function findOne(app: App, run: CallRun, name: string, value: unknown): Promise<CallFile | string> {
  if (typeof value === 'string') {
    if (/^data:/i.test(value)) return fileOfUri(name, value);
    if (!isId('fil', value)) return NOT_A_FILE;
    const { caller } = run;
    const stored = await app.permits.run(caller.project, () => findFile(app, caller, value));
    return stored ? storedCallFile(app, stored) : NOT_FOUND;
  }
  // A call that begins again does not download again.
  const key = JSON.stringify(value);
  const known = run.downloads.get(key);
  if (known) return storedCallFile(app, known);
  const stored = await downloadFile(app, run, name, value as ChatFile);
  if (typeof stored === 'string') return stored;
  run.downloads.set(key, stored);
  return storedCallFile(app, stored);
}

function fileOfUri(argument: string, uri: string): CallFile | string {
  const read = readDataUri(uri);
  if (typeof read === 'string') return read;
  const { bytes } = read;
  const content_type = read.content_type === undefined ? 'text/plain' : safeContentType(read.content_type);
  return {
    name: safeFileName(nameWithEnding(argument, content_type)),
    content_type,
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    stored: null,
    read: async function* () {
      yield bytes;
    },
  };
}

/** Base64 is in memory as a whole. */
function refuseLarge(files: CallFiles, problems: Problem[]): void {
  let size = 0;
  for (const [field, file] of files) {
    size += file.size;
    if (size <= MAX_BASE64_BYTES) continue;
    problems.push({ field, message: `must be at most ${MAX_BASE64_BYTES} bytes: this tool sends its files as base64` });
    return;
  }
}

/** Nobody else can name them. What cannot be deleted now expires. */
export async function discardDownloads(app: App, run: CallRun): Promise<void> {
  for (const stored of run.downloads.values())
    await app.permits
      .run(run.caller.project, () => deleteFile(app, stored))
      .catch((error: unknown) => app.log.warn({ err: error }, 'a downloaded file was not deleted'));
}
