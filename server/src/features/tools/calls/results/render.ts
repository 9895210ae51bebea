// Turns the bytes of a customer's response into JSON text. Checking and quoting a megabyte takes up to 40 ms: large responses are
// rendered by a thread (render-off-thread.ts).

import { isJson, isJsonResponse, responseText } from './response-text.ts';

export type ApiResponse = {
  content_type: string | null;
  body: Uint8Array;
  /** The response was longer than the limit; `body` is its beginning. */
  truncated: boolean;
};

/** value: JSON, or text in its place. text: text, and JSON beside it. bytes: base64. */
export type Form = 'value' | 'text' | 'bytes';

/** Each is text, or the bytes of it where a thread has rendered it. */
export type Rendered<Text = string | Uint8Array<ArrayBuffer>> = {
  /** The response itself, if it is JSON that may be passed on as it is. */
  json: Text | null;
  /** Its text as a JSON string, with the quotes. As a `value` only where it is not JSON. */
  quoted: Text | null;
  /** Of `bytes`, and of what is not text. */
  base64: Text | null;
};

const NOTHING = { json: null, quoted: null, base64: null };

export function render(form: Form, { content_type, body, truncated }: ApiResponse): Rendered<string> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (form === 'bytes') return { ...NOTHING, base64: bytes.toString('base64') };
  const text = responseText(content_type, bytes, truncated);
  if (text === null) return renderOther(form, bytes, truncated);
  // The body may not be JSON although its type says so, or be nested too deep.
  const json = !truncated && isJson(content_type ?? '') && isJsonResponse(text) ? text : null;
  const quoted = json !== null && form === 'value' ? null : JSON.stringify(text);
  return { ...NOTHING, json, quoted };
}

/** Neither JSON nor text: a value has no other field for it, and a part of it is no use as bytes. */
function renderOther(form: 'value' | 'text', bytes: Buffer, truncated: boolean): Rendered<string> {
  if (form === 'value') return { ...NOTHING, quoted: JSON.stringify(bytes.toString('utf8')) };
  return truncated ? NOTHING : { ...NOTHING, base64: bytes.toString('base64') };
}

export const valueText = ({ json, quoted }: Rendered<string>): string => json ?? quoted ?? '';
