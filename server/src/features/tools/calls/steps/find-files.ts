// What the file arguments of a call name: hooks and people are told of name, size and hash.

import type { Arguments } from '../arguments.ts';
import { findFiles as find, tellCall } from '../files/find-files.ts';
import type { CallRun, Step } from '../run.ts';

export const findFiles: Step = (app, run) => (run.tool.file_arguments.length > 0 ? findAndTell(app, run) : undefined);

async function findAndTell(app: Parameters<Step>[0], run: CallRun): Promise<void> {
  await find(app, run);
  tellCall(run, (run.call.arguments ?? {}) as Arguments);
}
