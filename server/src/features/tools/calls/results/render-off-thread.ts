// Renders large responses in a thread, so that the API of one customer, however it misbehaves, does not delay the requests of
// others (docs/design/outgoing-requests.md). One at a time, round robin over the fairness keys.

import { Worker } from 'node:worker_threads';
import type { App } from '../../../../app.ts';
import { threadEnvironment } from '../../../../engines/threads/environment.ts';
import { createFairSlots, type FairSlots, waitAtMost } from '../../../../limits/fair-slots.ts';
import { type ApiResponse, type Form, type Rendered, render, valueText } from './render.ts';
import type { Message, Result, Task } from './render-worker.ts';
import { type ShapedResponse, type Shaping, shapeResponse } from './shape-body.ts';

/** Handing a response over takes as long as rendering this much. */
const LARGE_BYTES = 32 * 1024;
/** Only so that no wait is without an end: 30 s are a thousand of the slowest responses. */
const MAX_WAIT_MS = 30_000;
const MAX_WAITING_OF_KEY = 1_000;

type Thread = { worker: Worker; is_ready: boolean; current: PromiseWithResolvers<Result> | null };

/** Of one app. Only a large response needs it. */
type Own = { slots: FairSlots; thread: Thread | null; close(): Promise<void> };
type Stateful = Pick<App, 'stateOf'>;

function createOwn(): Own {
  const own: Own = {
    slots: createFairSlots({
      slots: 1,
      max_waiting_of_key: MAX_WAITING_OF_KEY,
      startWait: waitAtMost(MAX_WAIT_MS),
      retry_after_seconds: 1,
    }),
    thread: null,
    async close() {
      const ended = own.thread;
      own.thread = null;
      await ended?.worker.terminate();
    },
  };
  return own;
}

/** JSON, or the text as a JSON string. The memory of a large body is handed over: it cannot be read afterwards. */
export async function renderValue(
  app: Stateful,
  fairness_key: string,
  response: ApiResponse,
): Promise<string | Uint8Array> {
  const rendered = await renderIn(app, fairness_key, 'value', response);
  return rendered instanceof Uint8Array ? rendered : valueText(rendered as Rendered<string>);
}

/** Takes the memory of a large body as well. */
export function renderParts(
  app: Stateful,
  fairness_key: string,
  form: 'text' | 'bytes',
  response: ApiResponse,
): Rendered | Promise<Rendered> {
  return renderIn(app, fairness_key, form, response) as Rendered | Promise<Rendered>; // bytes come only of a value
}

/** Takes the memory of a large body, too. */
export function shapeIn(app: Stateful, fairness_key: string, { key, response, compiled }: Shaping, whole: ApiResponse) {
  const own = forThread(app, whole);
  if (!own) return shapeResponse(compiled, whole);
  const task: Task = { form: 'shaped', response: whole, shaping: { key, response } };
  return own.slots.run(fairness_key, () => sendToThread(own, task)) as Promise<ShapedResponse>;
}

/** A small response is rendered at once, without a promise. */
function renderIn(app: Stateful, fairness_key: string, form: Form, response: ApiResponse): Result | Promise<Result> {
  const own = forThread(app, response);
  if (!own) return render(form, response);
  // What else a result has cannot be sent.
  const { content_type, body, truncated } = response;
  return own.slots.run(fairness_key, () => sendToThread(own, { form, response: { content_type, body, truncated } }));
}

/** Null: it is rendered here. */
function forThread(app: Stateful, { body }: ApiResponse): Own | null {
  if (body.byteLength < LARGE_BYTES) return null;
  const own = app.stateOf(createOwn);
  own.thread ??= startThread(own);
  // The first large responses do not wait for the thread to load its modules.
  return own.thread.is_ready ? own : null;
}

function sendToThread(own: Own, task: Task): Promise<Result> {
  own.thread ??= startThread(own);
  const { thread } = own;
  thread.current = Promise.withResolvers();
  thread.worker.ref();
  thread.worker.postMessage(task, [task.response.body.buffer as ArrayBuffer]);
  return thread.current.promise;
}

function startThread(own: Own): Thread {
  const worker = new Worker(new URL('./render-worker.ts', import.meta.url), { execArgv: [], env: threadEnvironment() });
  const started: Thread = { worker, is_ready: false, current: null };
  worker.on('message', (message: Message) => {
    if (message === null) started.is_ready = true;
    else {
      worker.unref();
      started.current?.resolve(message);
      started.current = null;
    }
  });
  // Out of memory, or a bug: the next large response starts another.
  worker.on('error', (error) => {
    if (own.thread === started) own.thread = null;
    started.current?.reject(error);
    started.current = null;
  });
  // Last: a listener keeps the process running.
  worker.unref();
  return started;
}
