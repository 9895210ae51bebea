import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJson, responseText } from './response-text.ts';

const complete = (type: string | null, body: Buffer | string) => responseText(type, Buffer.from(body as string), false);
const truncated = (type: string | null, body: Buffer | string) => responseText(type, Buffer.from(body as string), true);

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

test('text is decoded by the charset of its type, in any spelling', () => {
  assert.equal(complete('text/plain; charset=iso-8859-1', latin1('café')), 'café');
  assert.equal(complete('application/json;charset="ISO-8859-1"; x=y', latin1('{"a":"café"}')), '{"a":"café"}');
  assert.equal(complete('text/plain; charset=utf-16le', utf16('日本')), '日本');
  assert.equal(complete('text/plain; charset=shift_jis', Buffer.from([0x93, 0xfa, 0x96, 0x7b])), '日本');
  for (const utf8 of ['utf-8', 'UTF8', '"utf-8"'])
    assert.equal(complete(`text/plain; charset=${utf8}`, 'grüße €'), 'grüße €');
});

test('without a charset, or with an unknown one, text is UTF-8', () => {
  for (const type of [null, 'text/plain', 'text/plain; boundary=x', 'text/plain; charset=martian'])
    assert.equal(complete(type, 'grüße €'), 'grüße €');
});

test('bytes that are invalid in their charset are not text', () => {
  for (const type of [null, 'application/json', 'text/plain; charset=utf-8', 'text/plain; charset=martian']) {
    assert.equal(complete(type, latin1('café')), null);
    assert.equal(truncated(type, latin1('café!')), null);
  }
  assert.equal(complete('text/plain; charset=utf-8', Buffer.from('€').subarray(0, 2)), null, 'the body is complete');
});

test('an incomplete character at the end of a truncated text is omitted, in every charset', () => {
  const euro = Buffer.from('a€').subarray(0, 3);
  assert.equal(truncated('text/plain', euro), 'a');
  assert.equal(truncated('text/plain; charset=utf-8', euro), 'a');
  assert.equal(truncated('text/plain; charset=utf-16le', utf16('日本').subarray(0, 3)), '日');
  assert.equal(truncated('text/plain; charset=shift_jis', Buffer.from([0x93, 0xfa, 0x96])), '日');
  assert.equal(truncated('text/plain; charset=iso-8859-1', latin1('café')), 'café');
});

test('a byte order mark is not part of the text', () => {
  assert.equal(complete('text/plain', '\uFEFFgrüße'), 'grüße');
  assert.equal(truncated('text/plain', '\uFEFFgrüße'), 'grüße');
  assert.equal(complete('text/plain; charset=utf-16le', utf16('\uFEFF日')), '日');
});

test('JSON is recognized by its content type, in any spelling', () => {
  for (const type of [
    'application/json',
    'APPLICATION/JSON ; charset=utf-8',
    'text/json',
    'application/problem+json',
    'model/gltf+json',
  ])
    assert.ok(isJson(type), type);
  for (const type of [
    '',
    'application/jsonl',
    'application/json-seq',
    'text/plain; x=application/json',
    'json',
    'image/svg+xml',
  ])
    assert.ok(!isJson(type), type);
});
