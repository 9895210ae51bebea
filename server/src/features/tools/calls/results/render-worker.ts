// The thread that renders large responses, one at a time.

import { parentPort } from 'node:worker_threads';
import type { ToolResponse } from '@toolgate/contract/custom-tools/tool-response.ts';
import { LRUCache } from 'lru-cache';
import { yieldToMainThread } from '../../../../engines/threads/priority.ts';
import { freeMemory } from '../../../../outbound/free-memory.ts';
import { type ApiResponse, type Form, type Rendered, render, valueText } from './render.ts';
import { type ShapedResponse, type Shaping, shapeResponse, shapingOf } from './shape-body.ts';

export type Task =
  | { form: Form; response: ApiResponse }
  | { form: 'shaped'; response: ApiResponse; shaping: { key: string; response: ToolResponse } };
/** Text is sent as its bytes: encoding them takes longer than everything else that is left for the main thread. */
export type Result = Rendered | Uint8Array<ArrayBuffer> | ShapedResponse;
/** Null when the thread has loaded its modules. */
export type Message = Result | null;

/** Its bytes have memory of their own, which can be handed over. */
const encoder = new TextEncoder();

const post = (message: Message, transferred: ArrayBuffer[] = []) => parentPort?.postMessage(message, transferred);
const postBytes = (bytes: Uint8Array<ArrayBuffer>) => post(bytes, [bytes.buffer]);

function postRendered(rendered: Rendered<Uint8Array<ArrayBuffer>>): void {
  const parts = [rendered.json, rendered.quoted, rendered.base64];
  post(
    rendered,
    parts.flatMap((part) => (part === null ? [] : [part.buffer])),
  );
}

/** Compiled once for each definition. */
const shapings = new LRUCache<string, Shaping>({ max: 500 });

function shape({ response: whole, shaping: { key, response } }: Extract<Task, { form: 'shaped' }>) {
  const shaping = shapings.get(key) ?? shapingOf(key, response);
  shapings.set(key, shaping);
  const shaped = shapeResponse(shaping.compiled, whole);
  freeMemory(whole.body);
  return post(shaped, shaped.kind === 'shaped' ? [shaped.body.buffer] : []);
}

parentPort?.on('message', (task: Task) => {
  if (task.form === 'shaped') return shape(task);
  const { form, response } = task;
  const rendered = render(form, response);
  freeMemory(response.body);
  if (form === 'value') return postBytes(encoder.encode(valueText(rendered)));
  const bytesOf = (text: string | null) => (text === null ? null : encoder.encode(text));
  const { json, quoted, base64 } = rendered;
  postRendered({ json: bytesOf(json), quoted: bytesOf(quoted), base64: bytesOf(base64) });
});
yieldToMainThread();
post(null);
