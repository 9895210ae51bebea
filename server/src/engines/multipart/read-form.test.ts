import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readForm } from './read-form.ts';

async function* inPieces(bytes: Buffer, length: number) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function serialize(form: FormData) {
  const response = new Response(form);
  return { bytes: Buffer.from(await response.arrayBuffer()), type: response.headers.get('content-type') ?? '' };
}

async function read(bytes: Buffer, type: string, length: number) {
  const { fields, file } = await readForm(inPieces(bytes, length), type);
  const parts: Buffer[] = [];
  for await (const part of file?.body ?? []) parts.push(part);
  return { fields: [...fields], file: file && { ...file, body: Buffer.concat(parts) } };
}

const anyText = fc.string({ unit: 'binary', maxLength: 60 }).map((text) => text.toWellFormed());
/** What the HTML standard does to the line breaks of names and values. */
const lines = (text: string) => text.replace(/\r\n|\r|\n/g, '\r\n');

test('a form is read as a browser would send it, whatever is in it and wherever it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyText,
      // Without a name node sends no file.
      anyText.filter((name) => name !== ''),
      fc.uint8Array({ maxLength: 400 }),
      fc.integer({ min: 1, max: 90 }),
      async (value, name, bytes, length) => {
        const form = new FormData();
        form.set('confirmation', value);
        form.set('file', new File([bytes as Uint8Array<ArrayBuffer>], name, { type: 'application/pdf' }));
        const { bytes: sent, type } = await serialize(form);
        const got = await read(sent, type, length);
        assert.deepEqual(got.fields, [['confirmation', lines(value)]]);
        assert.equal(got.file?.content_type, 'application/pdf');
        // Node does not escape a percent sign, as browsers do not: what it means is lost.
        if (!/%(22|0D|0A)/i.test(name)) assert.equal(got.file?.name.replace(/\r\n|\r|\n/g, '\r\n'), lines(name));
        assert.ok(got.file?.body.equals(Buffer.from(bytes)));
      },
    ),
    { numRuns: 300 },
  );
});

test('a file that contains what looks like a delimiter stays whole', async () => {
  const type = 'multipart/form-data; boundary=ab';
  const body = '\r\n--a\r\n--\r\n-ab\r\n--a b';
  const text = `--ab\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${body}\r\n--ab--\r\n`;
  for (let length = 1; length < text.length; length += 1)
    assert.equal((await read(Buffer.from(text), type, length)).file?.body.toString(), body);
});

test('a form in which no file was chosen has one without a name', async () => {
  const text = '--ab\r\nContent-Disposition: form-data; name="file"; filename=""\r\n\r\n\r\n--ab--\r\n';
  const { file } = await read(Buffer.from(text), 'multipart/form-data; boundary="ab"', 3);
  assert.deepEqual([file?.name, file?.body.length], ['', 0]);
});

test('a form without a file has its fields only', async () => {
  const form = new FormData();
  form.set('a', '1');
  const { bytes, type } = await serialize(form);
  assert.deepEqual(await read(bytes, type, 7), { fields: [['a', '1']], file: undefined });
});

test('what is not such a form, or ends too early, is refused', async () => {
  const type = 'multipart/form-data; boundary=ab';
  const part = '--ab\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nbytes';
  const wrong: [string, string][] = [
    ['', type],
    ['--ab', type],
    [part, type],
    [`${part}\r\n--a`, type],
    [`${part}\r\n--ab--`, 'multipart/form-data'],
    ['--ab--extra', 'multipart/form-data; boundary='],
    ['--abX\r\n\r\n', type],
    ['--ab\r\n\r\nbytes\r\n--ab--', type],
    ['--ab\r\nContent-Disposition: form-data\r\n\r\nbytes\r\n--ab--', type],
    [`--ab\r\nX: ${'x'.repeat(9_000)}\r\n\r\n`, type],
    [`--ab\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'x'.repeat(9_000)}\r\n--ab--`, type],
  ];
  for (const [text, content_type] of wrong)
    await assert.rejects(read(Buffer.from(text), content_type, 5), SyntaxError, text.slice(0, 60));
});
