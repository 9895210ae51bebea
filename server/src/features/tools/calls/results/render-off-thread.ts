// Renders large responses in a thread, so that the API of one customer, however it misbehaves, does not delay the requests of
// others (docs/design/outgoing-requests.md). One at a time, round robin over the fairness keys.

import { Worker } from 'node:worker_threads';
import { createFairSlots, waitAtMost } from '../../../../limits/fair-slots.ts';
import { threadEnvironment } from '../../../../threads/environment.ts';
import { type Answer, type Form, type Rendered, render, valueText } from './render.ts';
import type { Message, Result, Task } from './render-worker.ts';
import { type ShapedAnswer, type Shaping, shapeAnswer } from './shape-body.ts';

/** Handing a response over takes as long as rendering this much. */
const LARGE_BYTES = 32 * 1024;
/** Only so that no wait is without an end: 30 s are a thousand of the slowest responses. */
const MAX_WAIT_MS = 30_000;
const MAX_WAITING_OF_KEY = 1_000;

const slots = createFairSlots({
  slots: 1,
  max_waiting_of_key: MAX_WAITING_OF_KEY,
  startWait: waitAtMost(MAX_WAIT_MS),
  retry_after_seconds: 1,
});

type Thread = { worker: Worker; is_ready: boolean; current: PromiseWithResolvers<Result> | null };
let thread: Thread | null = null;

/** JSON, or the text as a JSON string. The memory of a large body is handed over: it cannot be read afterwards. */
export async function renderValue(fairness_key: string, answer: Answer): Promise<string | Uint8Array> {
  const rendered = await renderIn(fairness_key, 'value', answer);
  return rendered instanceof Uint8Array ? rendered : valueText(rendered as Rendered<string>);
}

/** Takes the memory of a large body as well. */
export function renderParts(
  fairness_key: string,
  form: 'text' | 'bytes',
  answer: Answer,
): Rendered | Promise<Rendered> {
  return renderIn(fairness_key, form, answer) as Rendered | Promise<Rendered>; // bytes come only of a value
}

/** Takes the memory of a large body, too. */
export function shapeIn(fairness_key: string, { key, response, compiled }: Shaping, answer: Answer) {
  const task: Task = { form: 'shaped', answer, shaping: { key, response } };
  return isForThread(answer)
    ? (slots.run(fairness_key, () => sendToThread(task)) as Promise<ShapedAnswer>)
    : shapeAnswer(compiled, answer);
}

/** A small response is rendered at once, without a promise. */
function renderIn(fairness_key: string, form: Form, answer: Answer): Result | Promise<Result> {
  if (!isForThread(answer)) return render(form, answer);
  // What else a result has cannot be sent.
  const { content_type, body, truncated } = answer;
  return slots.run(fairness_key, () => sendToThread({ form, answer: { content_type, body, truncated } }));
}

function isForThread({ body }: Answer): boolean {
  if (body.byteLength < LARGE_BYTES) return false;
  thread ??= startThread();
  // The first large responses do not wait for the thread to load its modules.
  return thread.is_ready;
}

function sendToThread(task: Task): Promise<Result> {
  thread ??= startThread();
  thread.current = Promise.withResolvers();
  thread.worker.ref();
  thread.worker.postMessage(task, [task.answer.body.buffer as ArrayBuffer]);
  return thread.current.promise;
}

function startThread(): Thread {
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
    if (thread === started) thread = null;
    started.current?.reject(error);
    started.current = null;
  });
  // Last: a listener keeps the process running.
  worker.unref();
  return started;
}
