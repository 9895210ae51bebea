// Overwrites secrets in the response of a customer's API, before any of it is passed on or stored: an API may repeat the request,
// with its Authorization header, in an error.

/** A shorter secret would be found by chance in other text. */
const MIN_LENGTH = 6;

/** The forms in which a secret is searched for. */
export function secretForms(secret: string): Buffer[] {
  if (secret.length < MIN_LENGTH) return [];
  // The longest first: a form may be part of another.
  const unique = [...new Set(formsOf(secret))].sort((one, other) => other.length - one.length);
  return unique.map((text) => Buffer.from(text));
}

/** Made once for each token, and dropped with it. */
const formsOfTokens = new WeakMap<object, readonly Buffer[]>();

/** The forms of an access token that is sent with a call. */
export function tokenForms(token: { text: string }): readonly Buffer[] {
  const forms = formsOfTokens.get(token) ?? secretForms(token.text);
  formsOfTokens.set(token, forms);
  return forms;
}

/** Changes the body of `response`, and returns it. */
export function redactResponse<T extends { body: Buffer; truncated: boolean }>(
  response: T,
  forms: readonly Buffer[],
): T {
  redactSecrets(response.body, response.truncated, forms);
  return response;
}

/** Changes the bytes of `body`. A truncated body may end with the beginning of a secret. */
export function redactSecrets(body: Buffer, truncated: boolean, forms: readonly Buffer[]): void {
  for (const form of forms) {
    for (let at = body.indexOf(form); at !== -1; at = body.indexOf(form, at + form.length))
      body.fill('*', at, at + form.length);
  }
  if (truncated) body.fill('*', body.length - Math.max(0, ...forms.map((form) => lengthAtEnd(body, form))));
}

/** The same for a body that is not in memory as a whole: what may be the beginning of a secret waits for what follows. */
export async function* redactStream(body: AsyncIterable<Buffer>, forms: readonly Buffer[]): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const part of body) {
    const bytes = Buffer.concat([held, part]);
    redactSecrets(bytes, false, forms);
    const end = bytes.length - Math.max(0, ...forms.map((form) => lengthAtEnd(bytes, form)));
    held = Buffer.from(bytes.subarray(end));
    yield bytes.subarray(0, end);
  }
  yield held;
}

/** How many bytes of the beginning of `form` are the end of `body`. */
function lengthAtEnd(body: Buffer, form: Buffer): number {
  let length = Math.min(form.length - 1, body.length);
  while (length > 0 && form.compare(body, body.length - length, body.length, 0, length) !== 0) length -= 1;
  return length;
}

function formsOf(secret: string): string[] {
  const base64 = [0, 1, 2].map((offset) => base64At(offset, secret));
  const base64url = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    json,
    json.replaceAll('/', '\\/'),
    encodeURIComponent(secret.toWellFormed()),
    encodeURIComponent(secret.toWellFormed()).replaceAll("'", '%27'),
    // As a form encodes it.
    new URLSearchParams({ '': secret }).toString().slice(1),
    ...base64,
    ...base64url,
  ];
}

/** The characters that encode only bytes of this text, when it follows `offset` bytes (modulo 3) of another, as in `user:password`. */
function base64At(offset: number, text: string): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
  return bytes.toString('base64').slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
}
