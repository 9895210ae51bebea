// The files of a call: what its file arguments name, with what is told of them and how their bytes are read.

import type { App } from '../../../../app.ts';
import type { StoredFile } from '../../../files/files/file.ts';
import { readFile } from '../../../files/files/read-file.ts';
import type { SentFile } from '../../expansion/sent-file.ts';
import type { Arguments } from '../arguments.ts';
import type { ToolCall } from '../tool-call.ts';

/** `stored`: null for one that is in the call itself. */
export type CallFile = SentFile & { stored: StoredFile | null };
export type CallFiles = ReadonlyMap<string, CallFile>;

export const NO_CALL_FILES: CallFiles = new Map<string, CallFile>([]);

export const storedCallFile = (app: App, stored: StoredFile): CallFile => ({
  name: stored.name,
  content_type: stored.content_type,
  size: stored.size,
  sha256: stored.sha256 ?? '',
  stored,
  read: () => readFile(app, stored),
});

/** What people, hooks and the log learn of a file argument. */
const tell = ({ name, content_type, size, sha256 }: CallFile) => ({ name, content_type, size, sha256 });

/** Before it is known what they are: neither their bytes nor a URL of them. */
export function hideFiles(call: ToolCall, names: readonly string[]): ToolCall {
  const given = call.arguments as Arguments | null | undefined;
  if (typeof given !== 'object' || given === null) return call;
  const hidden = names.filter((name) => Object.hasOwn(given, name)).map((name) => [name, '[file]']);
  return hidden.length === 0 ? call : { ...call, arguments: { ...given, ...Object.fromEntries(hidden) } };
}

export function tellFiles(given: Arguments, files: CallFiles): Arguments {
  const told = { ...given };
  for (const [name, file] of files) told[name] = tell(file);
  return told;
}

/** Arguments that a hook returned: a file that it left as it was told is the one that the caller gave. */
export function restoreFiles(changed: Arguments, given: Arguments, files: CallFiles): Arguments {
  const restored = { ...changed };
  for (const [name, file] of files)
    if (JSON.stringify(changed[name]) === JSON.stringify(tell(file))) restored[name] = given[name];
  return restored;
}
