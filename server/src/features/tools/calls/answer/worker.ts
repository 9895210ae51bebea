// The thread that renders large responses, one at a time.

import { parentPort } from 'node:worker_threads';
import { type Answer, type Form, type Rendered, render, valueText } from './render.ts';

export type Task = { form: Form; answer: Answer };
/** A `value` is sent as its bytes: encoding them takes longer than everything else that is left for the main thread. */
export type Result = Rendered | Uint8Array<ArrayBuffer>;
/** Null when the thread has loaded its modules. */
export type Message = Result | null;

const post = (message: Message, transferred: ArrayBuffer[] = []) => parentPort?.postMessage(message, transferred);

parentPort?.on('message', ({ form, answer }: Task) => {
  const rendered = render(form, answer);
  if (form !== 'value') return post(rendered);
  const bytes = Buffer.from(valueText(rendered));
  post(bytes, [bytes.buffer]);
});
post(null);
