// The thread that reads documents, one at a time.

import { parentPort } from 'node:worker_threads';
import type { ToolImportOptions } from '@toolgate/contract/custom-tools/tool-import.ts';
import type { RefusalName } from '@toolgate/contract/errors.ts';
import { createValidators } from '../../../engines/json-schema/validator.ts';
import { yieldToMainThread } from '../../../engines/threads/priority.ts';
import { ApiError, busy, type RefusalOptions, refusals } from '../../../errors/errors.ts';
import type { AllowList } from '../../../outbound/allow-list.ts';
import { readBody, type ToFetch } from './read-body.ts';
import type { Skipped } from './read-document.ts';
import { type ReadTool, readOperations, type Summary } from './read-operations.ts';

export type Task = {
  bytes: Uint8Array;
  content_type: string;
  /** What was fetched from the document_url in the body. */
  fetched?: Uint8Array;
  egress_allow: AllowList;
  fairness_key: string;
};

export type ReadResult = Summary & { options: ToolImportOptions; fingerprint: string; skipped: Skipped[] };

export type Message =
  /** Some of the tools: the thread that receives them has other things to do in between. */
  | { tools: ReadTool[] }
  | { result: ReadResult }
  | { result: ToFetch }
  | { refusal: RefusalName; details: RefusalOptions['details'] };

const CHARACTERS_AT_ONCE = 250_000;

/** Of this thread: what it compiles is not used for calls. */
const validators = createValidators(busy);

const post = (message: Message) => parentPort?.postMessage(message);

async function read({ bytes, content_type, fetched, egress_allow, fairness_key }: Task): Promise<void> {
  const body = await readBody(bytes, content_type, fetched);
  if ('document_url' in body) return post({ result: body });
  const operations = readOperations(body, { rules: { egress_allow }, validators, fairness_key });
  const skipped: Skipped[] = [];
  let tools: ReadTool[] = [];
  let characters = 0;
  let next = await operations.next();
  for (; !next.done; next = await operations.next()) {
    if ('skipped' in next.value) {
      skipped.push(next.value.skipped);
      continue;
    }
    tools.push(next.value.tool);
    characters += next.value.tool.definition.length;
    if (characters < CHARACTERS_AT_ONCE) continue;
    post({ tools });
    tools = [];
    characters = 0;
  }
  post({ tools });
  post({ result: { options: body.options, fingerprint: body.fingerprint, skipped, ...next.value } });
}

/** Whatever is no refusal is a bug, and ends the thread. */
function refuseTask(error: unknown): void {
  const row = error instanceof ApiError ? refusals.find(({ code }) => code === error.code) : undefined;
  if (!row) throw error;
  post({ refusal: row.name, details: (error as ApiError).details });
}

yieldToMainThread();
parentPort?.on('message', (task: Task) => {
  read(task).catch(refuseTask);
});
