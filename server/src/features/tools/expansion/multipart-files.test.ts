import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { useSeed } from '../../../../test/support/property-seed.ts';
import type { Problem } from '../../../engines/json-schema/problem.ts';
import { safeContentType } from '../../files/files/content-type.ts';
import { prepareBody } from './prepare-body.ts';
import { type BodyParts, lengthOf, readParts, type SentFile } from './sent-file.ts';

useSeed();

const multipart = prepareBody({
  ...{ method: 'POST', body_format: 'multipart', body_encoding: {} },
  ...{ body_argument: null, body_content_type: null },
});

async function bytesOf(body: string | BodyParts | null): Promise<Buffer> {
  const parts = typeof body === 'string' || body === null ? [body ?? ''] : body;
  const bytes: Uint8Array[] = [];
  for await (const part of readParts(parts)) bytes.push(part);
  const whole = Buffer.concat(bytes);
  assert.equal(whole.length, lengthOf(parts), 'the length is what Content-Length says');
  return whole;
}

const fileOf = (name: string, content_type: string, bytes: Buffer): SentFile => ({
  ...{ name, content_type, size: bytes.length, sha256: '' },
  read: async function* () {
    yield bytes;
  },
});

const hostile = fc.string({
  unit: fc.constantFrom('a', '"', '\r', '\n', ';', '-', '=', '\\', '/', 'ü', '%22', '\u202e', ': x'),
});
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 64 }).map((each) => Buffer.from(each)),
  fc
    .constantFrom('\r\n--toolgate-', '--\r\n', '\r\n\r\n', '\r\nContent-Disposition: form-data; name="x"')
    .map((text) => Buffer.from(text)),
);

test('no name of an argument or a file, no type and no bytes add a part, a field or a header', async () => {
  const check = async (argument: string, name: string, type: string, content: Buffer, note: string) => {
    const problems: Problem[] = [];
    const content_type = safeContentType(type);
    const files = new Map([[argument, fileOf(name, content_type, content)]]);
    const given = { before: note, [argument]: 'fil_x', after: note };
    const sent = multipart(given, problems, files);
    if (problems.length > 0) return;
    const whole = await bytesOf(sent.body);
    const form = await new Response(new Uint8Array(whole), {
      headers: { 'content-type': sent.content_type as string },
    }).formData();
    const entries = [...form];
    assert.equal(entries.length, Object.keys(given).length);
    const [found, ...others] = entries.filter(([, value]) => typeof value !== 'string');
    assert.deepEqual(others, []);
    const part = found?.[1] as File;
    assert.ok(Buffer.from(await part.arrayBuffer()).equals(content));
    const { boundary = '' } = /boundary=(?<boundary>.+)$/.exec(sent.content_type as string)?.groups ?? {};
    // Each part has the headers that we write, and no other.
    const heads = whole.toString('latin1').split(`--${boundary}\r\n`).slice(1);
    for (const head of heads) {
      const lines = (head.split('\r\n\r\n')[0] ?? '').split('\r\n');
      assert.match(lines[0] ?? '', /^Content-Disposition: form-data; name="[^"]*"(?:; filename="[^"]*")?$/);
      assert.ok(lines.length === 1 || (lines.length === 2 && lines[1]?.startsWith('Content-Type: ')), head);
    }
  };
  const property = fc.asyncProperty(
    hostile.filter((each) => each !== ''),
    hostile,
    hostile,
    bytes,
    hostile,
    check,
  );
  await fc.assert(property, { numRuns: 500 });
});

test('raw sends the bytes of the file alone, with its type unless the tool has one', async () => {
  const raw = (body_content_type: string | null) =>
    prepareBody({ method: 'POST', body_format: 'raw', body_encoding: {}, body_argument: 'a', body_content_type });
  const content = Buffer.from([0, 255, 13, 10]);
  const files = new Map([['a', fileOf('x', 'image/png', content)]]);
  for (const [type, expected] of [
    [null, 'image/png'],
    ['application/x', 'application/x'],
  ] as const) {
    const { body, content_type, in_query } = raw(type)({ a: 'fil_x', b: 1 }, [], files);
    assert.deepEqual([content_type, in_query], [expected, { b: 1 }]);
    assert.ok((await bytesOf(body)).equals(content));
  }
});
