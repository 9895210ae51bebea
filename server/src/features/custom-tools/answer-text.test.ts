import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerText, isJson } from './answer-text.ts';

const whole = (type: string | null, body: Buffer | string) => answerText(type, Buffer.from(body as string), false);
const cut = (type: string | null, body: Buffer | string) => answerText(type, Buffer.from(body as string), true);

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

test('text is read by the charset that its type names, in any spelling', () => {
  assert.equal(whole('text/plain; charset=iso-8859-1', latin1('café')), 'café');
  assert.equal(whole('application/json;charset="ISO-8859-1"; x=y', latin1('{"a":"café"}')), '{"a":"café"}');
  assert.equal(whole('text/plain; charset=utf-16le', utf16('日本')), '日本');
  assert.equal(whole('text/plain; charset=shift_jis', Buffer.from([0x93, 0xfa, 0x96, 0x7b])), '日本');
  for (const utf8 of ['utf-8', 'UTF8', '"utf-8"'])
    assert.equal(whole(`text/plain; charset=${utf8}`, 'grüße €'), 'grüße €');
});

test('without a charset, or with one nobody knows, it is UTF-8', () => {
  for (const type of [null, 'text/plain', 'text/plain; boundary=x', 'text/plain; charset=martian'])
    assert.equal(whole(type, 'grüße €'), 'grüße €');
});

test('bytes that are not what they should be are no text', () => {
  for (const type of [null, 'application/json', 'text/plain; charset=utf-8', 'text/plain; charset=martian']) {
    assert.equal(whole(type, latin1('café')), null);
    assert.equal(cut(type, latin1('café!')), null);
  }
  assert.equal(whole('text/plain; charset=utf-8', Buffer.from('€').subarray(0, 2)), null, 'nothing was cut off here');
});

test('half a character at the end of a cut text is left out, in every charset', () => {
  const euro = Buffer.from('a€').subarray(0, 3);
  assert.equal(cut('text/plain', euro), 'a');
  assert.equal(cut('text/plain; charset=utf-8', euro), 'a');
  assert.equal(cut('text/plain; charset=utf-16le', utf16('日本').subarray(0, 3)), '日');
  assert.equal(cut('text/plain; charset=shift_jis', Buffer.from([0x93, 0xfa, 0x96])), '日');
  assert.equal(cut('text/plain; charset=iso-8859-1', latin1('café')), 'café');
});

test('a byte order mark is no part of the text', () => {
  assert.equal(whole('text/plain', '\uFEFFgrüße'), 'grüße');
  assert.equal(cut('text/plain', '\uFEFFgrüße'), 'grüße');
  assert.equal(whole('text/plain; charset=utf-16le', utf16('\uFEFF日')), '日');
});

test('JSON is what calls itself so, in any spelling', () => {
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
