import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { byteByByte, bytesOf, readResponse } from '../../../test/read-response.ts';
import { MalformedResponse } from './response-head.ts';
import { ResponseReader } from './response-reader.ts';

const readText = (text: string, method?: string) => readResponse([bytesOf(text)], method);

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;
const withFields = (fields: string) => `${OK}${fields}content-length: 2\r\n\r\nok`;

describe('an answer is whole, and its connection good for another, with', () => {
  const good: Record<string, string> = {
    'a length': `${OK}Content-Length: 2\r\n\r\nok`,
    'no reason phrase': 'HTTP/1.1 200\r\ncontent-length: 2\r\n\r\nok',
    'an empty reason phrase': 'HTTP/1.1 200 \r\ncontent-length: 2\r\n\r\nok',
    'bytes beyond ASCII in reason and values': 'HTTP/1.1 200 \xe4\r\nx: \xfc\xff\r\ncontent-length: 2\r\n\r\nok',
    'empty values': withFields('x:\r\ny: \t\r\n'),
    'no blank, or many, around a value': `${OK}x:y\r\ncontent-length: \t 2 \t\r\n\r\nok`,
    'zeros before its length': `${OK}content-length: 0002\r\n\r\nok`,
    'every letter a field name may have': withFields("aZ0!#$%&'*+.^_`|~-: x\r\n"),
    'the same field again': withFields('set-cookie: a\r\nset-cookie: b\r\nx: 1\r\nX: 2\r\n'),
    'an offer to upgrade': withFields('connection: Keep-Alive, Upgrade\r\nupgrade: h2c\r\n'),
    'chunks in any spelling': `${OK}Transfer-Encoding: Chunked\r\n\r\n1\r\no\r\n0001\r\nk\r\n000\r\n\r\n`,
    'chunk extensions': `${CHUNKED}1;a\r\no\r\n1;a=b;c="d\\" \xe4;\t"\r\nk\r\n0;e=f\r\n\r\n`,
    'a trailer': `${CHUNKED}2\r\nok\r\n0\r\nx-checksum: 1\r\ny:\r\n\r\n`,
    'interim answers before it': `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${withFields('')}`,
  };
  for (const [what, text] of Object.entries(good)) {
    test(what, () => {
      const expected = { status: 200, body: 'ok', keep_alive_ms: 4_000, bytes_taken: text.length };
      assert.deepEqual(readText(text), expected);
      assert.deepEqual(readResponse(byteByByte(bytesOf(text))), expected);
    });
  }
});

describe('an answer has no body, whatever its fields say, where', () => {
  const bodiless: Record<string, [text: string, method?: string]> = {
    'the question was HEAD': [`${OK}content-length: 2\r\n\r\n`, 'HEAD'],
    'the question was HEAD, and no length is given': [`${OK}\r\n`, 'HEAD'],
    'the question was HEAD, and it is chunked': [CHUNKED, 'HEAD'],
    'its status is 204': ['HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\n'],
    'its status is 304': ['HTTP/1.1 304 Not Modified\r\ntransfer-encoding: chunked\r\n\r\n'],
    'its length is 0': [`${OK}content-length: 0\r\n\r\n`],
  };
  for (const [what, [text, method]] of Object.entries(bodiless)) {
    test(what, () => {
      const answer = readText(text, method);
      assert.ok(answer !== 'refused');
      assert.deepEqual([answer.body, answer.keep_alive_ms], ['', 4_000]);
      const followed = readText(`${text}HTTP/1.1 200 OK\r\n\r\n`, method);
      assert.ok(followed !== 'refused');
      assert.deepEqual([followed.body, followed.keep_alive_ms], ['', 0]);
    });
  }
});

describe('a connection is good for', () => {
  const hints: Record<string, [keep_alive_ms: number, text: string]> = {
    'as long as the server says, less a second': [9_000, withFields('keep-alive: timeout=10\r\n')],
    'as long as the server says, in any spelling': [1_000, withFields('Keep-Alive: max=5, Timeout=2\r\n')],
    'the usual time after a hint that says nothing': [4_000, withFields('keep-alive: max=5, xtimeout=1\r\n')],
    'no other call after a hint of one second': [0, withFields('keep-alive: timeout=1\r\n')],
    'no other call after `close`': [0, withFields('connection: close\r\n')],
    'no other call after `close` among others': [
      0,
      withFields('Connection: x,\tClose , y\r\nkeep-alive: timeout=9\r\n'),
    ],
    'no other call after `close` behind a hint': [0, withFields('keep-alive: timeout=9\r\nconnection: close\r\n')],
    'no other call after `close` in a second field': [0, withFields('connection: x\r\nconnection: close\r\n')],
    'no other call after HTTP/1.0': [0, 'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nok'],
    'no other call after a body without length': [0, `${OK}\r\nok`],
    'no other call after a byte too many': [0, `${withFields('')}!`],
    'no other call after a byte behind the last chunk': [0, `${CHUNKED}2\r\nok\r\n0\r\n\r\n\n`],
  };
  for (const [what, [keep_alive_ms, text]] of Object.entries(hints)) {
    test(what, () => {
      const answer = readText(text);
      assert.ok(answer !== 'refused');
      assert.deepEqual([answer.body, answer.keep_alive_ms], ['ok', keep_alive_ms]);
    });
  }
});

describe('no answer is', () => {
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
    'one that switches protocols': 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n',
    'a head without end': `${OK}content-length: 2\r\n`,
    'a head with bare LF': withFields('').replaceAll('\r\n', '\n'),
    'a head with one bare LF': withFields('x: y\n'),
    'a bare CR in a value': withFields('x: y\rz\r\n'),
    'a bare LF in a value': withFields('x: y\nz\r\n'),
    'a NUL in a value': withFields('x: y\0z\r\n'),
    'a NUL in the reason': withFields('').replace('OK', 'O\0'),
    'a folded line': withFields('x: y\r\n z\r\n'),
    'a blank before a name': withFields(' x: y\r\n'),
    'a blank before a colon': `${OK}content-length : 2\r\n\r\nok`,
    'a field without name': withFields(': y\r\n'),
    'a field without colon': withFields('x\r\n'),
    'a head of more than 16 KiB': withFields(`x: ${'y'.repeat(16_384)}\r\n`),
    'interim heads of more than 16 KiB': `${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(700)}${withFields('')}`,
    'an interim head that closes': `HTTP/1.1 100 Continue\r\nconnection: close\r\n\r\n${withFields('')}`,
    'an interim head with half a length': `HTTP/1.1 100 Continue\r\ncontent-length: x\r\n\r\n${withFields('')}`,
    'a body that is too short': `${OK}content-length: 3\r\n\r\nok`,
    'two lengths': withFields('content-length: 3\r\n'),
    // Permitted by RFC 9110 §8.6 and refused by Node's parser: who sends it twice has two minds in one message.
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
    'a trailer that says chunked': `${CHUNKED}2\r\nok\r\n0\r\ntransfer-encoding: chunked\r\n\r\n`,
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

  test('what comes where nothing was asked', () => {
    const reader = new ResponseReader();
    assert.throws(() => reader.read(bytesOf('x')), MalformedResponse);
    reader.begin('GET', { onHead() {}, onBody() {} });
    assert.ok(reader.read(bytesOf(withFields(''))));
    assert.throws(() => reader.read(bytesOf(withFields(''))), MalformedResponse);
  });
});

test('somebody who speaks another protocol, and waits, is refused at the first letter', () => {
  for (const text of ['2', 'HTTP/2', '\r', '\x15\x03\x01']) {
    const reader = new ResponseReader();
    reader.begin('GET', { onHead() {}, onBody() {} });
    assert.throws(() => reader.read(bytesOf(text)), MalformedResponse);
  }
});

describe('an answer in small pieces', () => {
  const ONE_BYTE_CHUNK = '1\r\nx\r\n';
  const chunked = (chunks: number, size: number) => {
    const chunk = `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`;
    return bytesOf(`${CHUNKED}${chunk.repeat(chunks)}0\r\n\r\n`);
  };
  const inPieces = (bytes: Buffer, size: number) =>
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
  const whole = (bytes: number) => bytesOf(`${OK}content-length: ${bytes}\r\n\r\n${'x'.repeat(bytes)}`);

  test('is read as long as the pieces are few, or not too small on average', () => {
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

  test('is refused while it is read where they are more, and not read to its end', () => {
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

test('a receiver that wants no more gets no more', () => {
  const reader = new ResponseReader();
  const parts: string[] = [];
  reader.begin('GET', {
    onHead() {},
    onBody(part) {
      parts.push(part.toString());
      reader.stop();
    },
  });
  assert.equal(reader.read(bytesOf(`${CHUNKED}1\r\na\r\n1\r\nb\r\n0\r\n\r\n`)), false);
  assert.deepEqual(parts, ['a']);
});
