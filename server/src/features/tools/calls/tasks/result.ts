// The result of a task, as it is kept: what is known of it as JSON, a line break, and its bytes.

import { MAX_RESULT_BYTES } from '@toolgate/contract/tasks/rules.ts';
import type { App } from '../../../../app.ts';
import { refuse } from '../../../../errors/errors.ts';
import type { Truncation } from '../../../../shaping/shape.ts';
import { storeResponse, storesFiles } from '../files/file-of-response.ts';
import { type CallerResult, fileResult } from '../results/shape-result.ts';
import type { CallResponse, CallRun } from '../run.ts';

/** Beside its bytes and its file. */
export type KeptResult = {
  status: number;
  content_type: string | null;
  truncated: boolean;
  shaped: { is_json: boolean; truncation: Truncation | null } | null;
  result_tokens: number;
  shaped_tokens: number;
};

const LINE_BREAK = 0x0a;

/** Call it when the last step of the call is done. A long result becomes a file. */
export async function packResult(app: App, run: CallRun): Promise<Buffer> {
  await storeLong(app, run);
  const { status, headers } = run.response as CallResponse;
  const { body, truncated, shaped, result_tokens, shaped_tokens } = run.result as CallerResult;
  const content_type = headers['content-type'] ?? null;
  const kept: KeptResult = { status, content_type, truncated, shaped, result_tokens, shaped_tokens };
  return Buffer.concat([Buffer.from(`${JSON.stringify(kept)}\n`), body]);
}

async function storeLong(app: App, run: CallRun): Promise<void> {
  const { response, result } = run;
  if (run.file || (result as CallerResult).body.length <= MAX_RESULT_BYTES) return;
  if (!storesFiles(run)) throw refuse.resultTooLarge({ details: { limit_bytes: MAX_RESULT_BYTES } });
  await storeResponse(app, run, (response as CallResponse).headers, (result as CallerResult).body);
  if (run.file) run.result = fileResult(run.file);
}

export function unpackResult(bytes: Buffer): { kept: KeptResult; body: Buffer } {
  const end = bytes.indexOf(LINE_BREAK);
  return { kept: JSON.parse(bytes.toString('utf8', 0, end)) as KeptResult, body: Buffer.from(bytes.subarray(end + 1)) };
}
