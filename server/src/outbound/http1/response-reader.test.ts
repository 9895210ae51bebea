import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { byteByByte, bytesOf, readResponse } from '../../../test/support/requests/read-response.ts';
import { startNodeReader } from '../../../test/support/requests/read-with-node.ts';
import { MalformedResponse } from './response-head.ts';
import { ResponseReader } from './response-reader.ts';

const node = await startNodeReader();
after(() => node.close());

const readText = (text: string, method?: string) => readResponse([bytesOf(text)], method);

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;
const withFields = (fields: string) => `${OK}${fields}content-length: 2\r\n\r\nok`;

describe('a response is complete, Node reads the same, and its connection can be reused, with', () => {
  const good: Record<string, string> = {
    'a length': `${OK}Content-Length: 2\r\n\r\nok`,
    'no reason phrase': 'HTTP/1.1 200\r\ncontent-length: 2\r\n\r\nok',
    'an empty reason phrase': 'HTTP/1.1 200 \r\ncontent-length: 2\r\n\r\nok',
    'bytes beyond ASCII in reason and values': 'HTTP/1.1 200 \xe4\r\nx: \xfc\xff\r\ncontent-length: 2\r\n\r\nok',
    'empty values': withFields('x:\r\ny: \t\r\n'),
    'no whitespace, or much, around a value': `${OK}x:y\r\ncontent-length: \t 2 \t\r\n\r\nok`,
    'spaces around `chunked`': `${OK}transfer-encoding: \t chunked  \r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    'leading zeros in its length': `${OK}content-length: 0002\r\n\r\nok`,
    'every character a field name may have': withFields("aZ0!#$%&'*+.^_`|~-: x\r\n"),
    'the same field again': withFields('set-cookie: a\r\nset-cookie: b\r\nx: 1\r\nX: 2\r\n'),
    'an offer to upgrade': withFields('connection: Keep-Alive, Upgrade\r\nupgrade: h2c\r\n'),
    'chunks in any spelling': `${OK}Transfer-Encoding: Chunked\r\n\r\n1\r\no\r\n0001\r\nk\r\n000\r\n\r\n`,
    'chunk extensions': `${CHUNKED}1;a\r\no\r\n1;a=b;c="d\\" \xe4;\t"\r\nk\r\n0;e=f\r\n\r\n`,
    'a trailer': `${CHUNKED}2\r\nok\r\n0\r\nx-checksum: 1\r\ny:\r\n\r\n`,
    'interim responses before it': `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${withFields('')}`,
  };
  for (const [what, text] of Object.entries(good)) {
    test(what, async () => {
      const headers = { 'content-encoding': undefined };
      const expected = { status: 200, headers, body: 'ok', keep_alive_ms: 4_000, bytes_taken: text.length };
      assert.deepEqual(readText(text), expected);
      assert.deepEqual(readResponse(byteByByte(bytesOf(text))), expected);
      const read = await node.read(bytesOf(text), 'GET', true);
      assert.ok(read !== 'refused');
      assert.deepEqual([read.status, read.body, read.is_reused], [200, 'ok', true]);
    });
  }
});

describe('a response has no body, whatever its fields say, where', () => {
  const bodiless: Record<string, [text: string, method?: string]> = {
    'the request was HEAD': [`${OK}content-length: 2\r\n\r\n`, 'HEAD'],
    'the request was HEAD, and it is chunked': [CHUNKED, 'HEAD'],
    'its status is 204': ['HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\n'],
    'its status is 304': ['HTTP/1.1 304 Not Modified\r\ntransfer-encoding: chunked\r\n\r\n'],
    'its length is 0': [`${OK}content-length: 0\r\n\r\n`],
  };
  for (const [what, [text, method]] of Object.entries(bodiless)) {
    test(what, () => {
      const response = readText(text, method);
      assert.ok(response !== 'refused');
      assert.deepEqual([response.body, response.keep_alive_ms], ['', 4_000]);
      const followed = readText(`${text}HTTP/1.1 200 OK\r\n\r\n`, method);
      assert.ok(followed !== 'refused');
      assert.deepEqual([followed.body, followed.keep_alive_ms], ['', 0]);
    });
  }
});

test('a HEAD response without length has no body, and its connection is not reused', () => {
  const response = readText(`${OK}\r\n`, 'HEAD');
  assert.ok(response !== 'refused');
  assert.deepEqual([response.body, response.keep_alive_ms], ['', 0]);
});

test('a list that is spread over several fields is combined; of single values the first counts', () => {
  const fields = ['cache-control: max-age=9', 'Cache-Control: no-store', 'content-type: a/b', 'content-type: c/d'];
  const response = readText(withFields(fields.map((field) => `${field}\r\n`).join('')));
  assert.ok(response !== 'refused');
  assert.deepEqual(
    [response.headers['cache-control'], response.headers['content-type']],
    ['max-age=9, no-store', 'a/b'],
  );
});

describe('a connection is reusable for', () => {
  const hints: Record<string, [keep_alive_ms: number, text: string]> = {
    'the timeout of the server, less a second': [9_000, withFields('keep-alive: timeout=10\r\n')],
    'the timeout of the server, in upper or lower case': [1_000, withFields('Keep-Alive: max=5, Timeout=2\r\n')],
    'the default time if the header has no timeout': [4_000, withFields('keep-alive: max=5, xtimeout=1\r\n')],
    'no other call after a timeout of one second': [0, withFields('keep-alive: timeout=1\r\n')],
    'no other call after `close`': [0, withFields('connection: close\r\n')],
    'no other call after `close` among others': [
      0,
      withFields('Connection: x,\tClose , y\r\nkeep-alive: timeout=9\r\n'),
    ],
    'no other call after `close` that follows a timeout': [
      0,
      withFields('keep-alive: timeout=9\r\nconnection: close\r\n'),
    ],
    'no other call after `close` in a second field': [0, withFields('connection: x\r\nconnection: close\r\n')],
    'no other call after `proxy-connection: close`': [0, withFields('Proxy-Connection: close\r\n')],
    'no other call after HTTP/1.0': [0, 'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nok'],
    'no other call after a body without length': [0, `${OK}\r\nok`],
    'no other call after an extra byte': [0, `${withFields('')}!`],
    'no other call after an extra byte after the last chunk': [0, `${CHUNKED}2\r\nok\r\n0\r\n\r\n\n`],
  };
  for (const [what, [keep_alive_ms, text]] of Object.entries(hints)) {
    test(what, () => {
      const response = readText(text);
      assert.ok(response !== 'refused');
      assert.deepEqual([response.body, response.keep_alive_ms], ['ok', keep_alive_ms]);
    });
  }
});

describe('a response is refused if it is or has', () => {
  const chunk = (line: string) => `${CHUNKED}${line}\r\nok\r\n0\r\n\r\n`;
  const bad: Record<string, string> = {
    nothing: '',
    'another protocol': 'SSH-2.0-OpenSSH_9.2\r\n\r\n',
    'HTTP/0.9': '<html>ok</html>',
    'HTTP/2': withFields('').replace('1.1', '2.0'),
    'a status of two or four digits': withFields('').replace('200', '20'),
    'a status below 100': withFields('').replace('200', '099'),
    'a tab in the status line': withFields('').replace(' 200', '\t200'),
    'an empty line before it': `\r\n${withFields('')}`,
    'a status of 101': 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n',
    'a head without end': `${OK}content-length: 2\r\n`,
    'a head with bare LF': withFields('').replaceAll('\r\n', '\n'),
    'a head with one bare LF': withFields('x: y\n'),
    'a bare CR in a value': withFields('x: y\rz\r\n'),
    'a bare LF in a value': withFields('x: y\nz\r\n'),
    'a NUL in a value': withFields('x: y\0z\r\n'),
    'a NUL in the reason': withFields('').replace('OK', 'O\0'),
    'a folded line': withFields('x: y\r\n z\r\n'),
    'whitespace before a name': withFields(' x: y\r\n'),
    'whitespace before a colon': `${OK}content-length : 2\r\n\r\nok`,
    'a field without name': withFields(': y\r\n'),
    'a field without colon': withFields('x\r\n'),
    'a head of more than 16 KiB': withFields(`x: ${'y'.repeat(16_384)}\r\n`),
    'interim heads of more than 16 KiB': `${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(700)}${withFields('')}`,
    'an interim head that closes': `HTTP/1.1 100 Continue\r\nconnection: close\r\n\r\n${withFields('')}`,
    'an interim head with a length': `HTTP/1.1 100 Continue\r\ncontent-length: 2\r\n\r\n${withFields('')}`,
    'an interim head that is chunked': `HTTP/1.1 100 Continue\r\ntransfer-encoding: chunked\r\n\r\n${withFields('')}`,
    'an interim head with an invalid length': `HTTP/1.1 100 Continue\r\ncontent-length: x\r\n\r\n${withFields('')}`,
    'a body that is too short': `${OK}content-length: 3\r\n\r\nok`,
    'two lengths': withFields('content-length: 3\r\n'),
    // Permitted by RFC 9110 8.6, but refused by Node's parser.
    'the same length twice': withFields('content-length: 2\r\n'),
    'a length and chunks': `${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    'chunks and a length': `${OK}transfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    'chunks of HTTP/1.0': chunk('2').replace('1.1', '1.0'),
    'a chunk without end': `${CHUNKED}2\r\nok`,
    'no last chunk': `${CHUNKED}2\r\nok\r\n`,
    'no end of the trailer': `${CHUNKED}2\r\nok\r\n0\r\n`,
    'a chunk that is longer than it says': `${CHUNKED}1\r\nok\r\n0\r\n\r\n`,
    'a chunk that ends with LF': `${CHUNKED}2\r\nok\n0\r\n\r\n`,
    'chunk extensions of more than 16 KiB': `${CHUNKED}${`1;${'x'.repeat(1_000)}\r\no\r\n`.repeat(20)}0\r\n\r\n`,
    'a trailer of more than 16 KiB': `${CHUNKED}0\r\n${'x: y\r\n'.repeat(3_000)}\r\n`,
    'a trailer with a folded line': `${CHUNKED}0\r\nx: y\r\n z\r\n\r\n`,
    'a trailer with a bare LF': `${CHUNKED}0\r\nx: y\nz: y\r\n\r\n`,
    'a trailer with a length': `${CHUNKED}2\r\nok\r\n0\r\nContent-Length: 2\r\n\r\n`,
    'a trailer with `transfer-encoding`': `${CHUNKED}2\r\nok\r\n0\r\ntransfer-encoding: chunked\r\n\r\n`,
  };
  for (const value of [
    '',
    '+2',
    '-2',
    '0x2',
    '2.0',
    '2e0',
    '2,2',
    '2, 2',
    '0 2',
    '\xa02',
    '\x0b2',
    '9'.repeat(16),
    '²',
    'x',
  ])
    bad[`a length of ${JSON.stringify(value)}`] = `${OK}content-length: ${value}\r\n\r\nok`;
  for (const value of [
    '',
    'gzip',
    'gzip, chunked',
    'chunked, chunked',
    'identity',
    'xchunked',
    '\xa0chunked',
    'chunked\xa0',
    // Node's parser reads these as a body until the connection closes.
    'chunked\t',
    'chunked \t',
    'chunked\t ',
    '"chunked"',
  ])
    bad[`an encoding of ${JSON.stringify(value)}`] = chunk('2').replace('chunked', value);
  bad['an encoding given twice'] = chunk('2').replace('\r\n\r\n', '\r\ntransfer-encoding: chunked\r\n\r\n');
  for (const line of [
    '',
    ' 2',
    '2 ',
    '2\t',
    '+2',
    '-2',
    '0x2',
    '2h',
    '2 ;a',
    '2;',
    '2;a b',
    '2;a="',
    '2;a\0',
    '2\n',
    '2\r',
    '000000002',
  ])
    bad[`a chunk of ${JSON.stringify(line)}`] = chunk(line);

  for (const [what, text] of Object.entries(bad)) {
    test(what, () => {
      assert.equal(readText(text), 'refused');
      assert.equal(readResponse(byteByByte(bytesOf(text))), 'refused');
    });
  }

  test('bytes without a request', () => {
    const reader = new ResponseReader();
    assert.throws(() => reader.read(bytesOf('x')), MalformedResponse);
    reader.begin('GET', { onHead() {}, onBody() {} });
    assert.ok(reader.read(bytesOf(withFields(''))));
    assert.throws(() => reader.read(bytesOf(withFields(''))), MalformedResponse);
  });
});

test('another protocol is refused at its first byte, without waiting for more', () => {
  for (const text of ['2', 'HTTP/2', '\r', '\x15\x03\x01']) {
    const reader = new ResponseReader();
    reader.begin('GET', { onHead() {}, onBody() {} });
    assert.throws(() => reader.read(bytesOf(text)), MalformedResponse);
  }
});

describe('a response in small pieces', () => {
  const ONE_BYTE_CHUNK = '1\r\nx\r\n';
  const chunked = (chunks: number, size: number) => {
    const chunk = `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`;
    return bytesOf(`${CHUNKED}${chunk.repeat(chunks)}0\r\n\r\n`);
  };
  const inPieces = (bytes: Buffer, size: number) =>
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
  const whole = (bytes: number) => bytesOf(`${OK}content-length: ${bytes}\r\n\r\n${'x'.repeat(bytes)}`);

  test('is accepted if the pieces are few, or not too small on average', () => {
    for (const [pieces, size] of [
      [inPieces(whole(1_500), 1), 1_500],
      [inPieces(whole(1 << 20), 128), 1 << 20],
      [inPieces(chunked(15_000, 1), 60_000), 15_000],
      [inPieces(chunked(65_536, 16), 60_000), 1 << 20],
    ] as const) {
      const read = readResponse(pieces);
      assert.equal(read === 'refused' ? read : read.body.length, size);
    }
  });

  test('is refused before its end if they are more', () => {
    for (const pieces of [
      inPieces(whole(100_000), 1),
      inPieces(bytesOf(withFields(`x: ${'y'.repeat(10_000)}\r\n`)), 1),
      inPieces(bytesOf(CHUNKED + ONE_BYTE_CHUNK.repeat(50_000)), 3),
      inPieces(bytesOf(CHUNKED + ONE_BYTE_CHUNK.repeat(1 << 20)), 60_000),
    ])
      assert.equal(readResponse(pieces), 'refused');
  });

  test('has its head read the same wherever it is cut', () => {
    const bytes = bytesOf(`HTTP/1.1 100 Continue\r\n\r\n${withFields(`x: ${'y'.repeat(700)}\r\n`)}`);
    const expected = readResponse([bytes]);
    for (const size of [1, 2, 3, 5, 24, 25, 26, 27, 100, 700])
      assert.deepEqual(readResponse(inPieces(bytes, size)), expected);
  });
});

test('a receiver that stops the reader gets no more', () => {
  const reader = new ResponseReader();
  const parts: string[] = [];
  reader.begin('GET', {
    onHead() {},
    onBody(bytes, start, end) {
      parts.push(bytes.toString('latin1', start, end));
      reader.stop();
    },
  });
  assert.equal(reader.read(bytesOf(`${CHUNKED}1\r\na\r\n1\r\nb\r\n0\r\n\r\n`)), false);
  assert.deepEqual(parts, ['a']);
});
