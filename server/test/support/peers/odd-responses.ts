// Generates HTTP/1.1 responses that are unusual or invalid in one or a few places: whitespace, line ends, framing headers,
// chunks, trailers and status lines. As Latin-1 text.

import fc from 'fast-check';

/** Mostly `usual`, so that a response has few odd places and is not refused at the first of many. */
function mostly(usual: readonly string[], odd: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  );
}

const join = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((texts) => texts.join(''));
const lineEnd = mostly(['\r\n'], ['\n', '\r', '\r\r\n', '\n\r', '\r\n ', '\r\n\t', '\t\r\n', ' \r\n', '\0\r\n']);
const before = mostly(
  ['', ' ', ' '],
  ['\t', '  ', ' \t', '\t ', '\r\n ', '\r\n\t', '\x0b', '\x0c', '\xa0', '\0', '\r', '\n'],
);
const after = mostly(
  ['', '', ' '],
  ['\t', '  ', ' \t', '\t ', '\r\n ', '\x0b', '\x0c', '\xa0', '\0', '\x7f', '\r', '\n', ','],
);
const colon = mostly([':'], [' :', '\t:', '::', '', ': :', '\0:']);

function line(names: fc.Arbitrary<string>, values: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return join(names, colon, before, values, after, lineEnd);
}

const lengthName = mostly(
  ['Content-Length', 'content-length', 'CONTENT-LENGTH'],
  ['Content_Length', ' Content-Length', '\tContent-Length', 'Content-Length\0', 'Content-Lengt', 'Content-Length2'],
);
const encodingName = mostly(
  ['Transfer-Encoding', 'transfer-encoding', 'TRANSFER-ENCODING'],
  ['Transfer_Encoding', ' Transfer-Encoding', 'Transfer-Encoding\xa0', 'Transfer-Encodin', 'TE', 'Transfer-Encodings'],
);
const lengthValue = (length: number) =>
  mostly(
    [`${length}`, `${length}`, `0${length}`],
    [
      ...[`+${length}`, `-${length}`, `${length},${length}`, `${length}, ${length}`, `${length},`, `${length};`],
      ...[`${length} ${length}`, `${length}x`, `0x${length}`, `${length}.0`, `${length}e0`, `"${length}"`, ''],
      ...[
        `${length}\t`,
        `\t${length}`,
        `${length}\xa0`,
        '18446744073709551616',
        '9007199254740993',
        `000000000000000${length}`,
      ],
      ...[`${length + 1}`, `${Math.max(0, length - 1)}`],
    ],
  );
const encodingValue = mostly(
  ['chunked', 'Chunked', 'CHUNKED'],
  [
    ...[
      'chunked\t',
      '\tchunked',
      'chunked \t',
      'chunked\t ',
      'chunked ',
      'chunked,',
      ',chunked',
      ', chunked',
      'chunked, chunked',
    ],
    ...[
      'gzip, chunked',
      'chunked, gzip',
      'chunked, identity',
      'identity, chunked',
      'identity',
      'gzip',
      'deflate,chunked',
      '',
    ],
    ...[
      'xchunked',
      'chunkedx',
      'chunke',
      '"chunked"',
      'chunked;q=1',
      'chunked; q=1',
      'chunk ed',
      'chunked\xa0',
      'chunked\x0b',
    ],
  ],
);
const connection = line(
  fc.constantFrom('Connection', 'connection', 'Proxy-Connection'),
  fc.constantFrom(
    ...[
      'close',
      'Close',
      'keep-alive',
      'Keep-Alive',
      'close, x',
      'x, close',
      'x,close',
      'x,\tclose',
      'close\t',
      'close;',
      'closed',
    ],
    ...[
      'clos',
      'close,',
      ',close',
      'keep-alive, close',
      'close, keep-alive',
      'close keep-alive',
      'upgrade',
      'TE, upgrade',
      '',
      ',',
    ],
  ),
);
const keepAlive = line(
  fc.constantFrom('Keep-Alive', 'keep-alive'),
  fc.constantFrom(
    'timeout=5',
    'timeout=0',
    'timeout=1',
    'max=1, timeout=9',
    'timeout=x',
    'timeout=99999999999',
    'timeout',
    '',
  ),
);
const other = line(
  mostly(
    ['x', 'X-Y', 'Date', 'set-cookie'],
    ['', 'x y', 'x(', 'x\0', 'x\x80', ' x', '\tx', 'x\r', 'Upgrade', 'Trailer'],
  ),
  mostly(['', 'y', 'a b', 'a\tb', '\xe4'], ['a\0b', 'a\rb', 'a\nb', 'a\x7fb', 'a\x01b', 'a\r\n b', 'a\r\n\tb']),
);
const read = line(
  fc.constantFrom('content-type', 'Content-Type', 'Retry-After', 'Cache-Control', 'cache-control'),
  fc.constantFrom('a/b', '7', 'no-store', 'max-age=1', '', 'a\tb', '\xe4'),
);
const contentEncoding = line(
  fc.constant('Content-Encoding'),
  fc.constantFrom('gzip', 'identity', '', 'br, gzip', 'gzip\t', 'x-gzip'),
);
const fields = fc
  .array(fc.oneof({ weight: 3, arbitrary: other }, read, connection, keepAlive, contentEncoding), { maxLength: 4 })
  .map((lines) => lines.join(''));

const statusLine = join(
  mostly(
    ['HTTP/1.1'],
    [
      'HTTP/1.0',
      'HTTP/1.2',
      'HTTP/2.0',
      'HTTP/0.9',
      'http/1.1',
      'HTTP/1.1.1',
      'HTTP/01.1',
      'HTTP/1',
      'RTSP/1.1',
      ' HTTP/1.1',
      '\r\nHTTP/1.1',
      '\nHTTP/1.1',
    ],
  ),
  mostly([' '], ['\t', '  ', '', '\xa0', ' \t']),
  mostly(
    ['200', '200', '204', '304', '404', '500', '205', '302'],
    ['100', '101', '199', '099', '000', '999', '600', '1000', '20', '2x0', '+200', '2 00'],
  ),
  mostly(
    [' OK', '', ' '],
    ['  OK', '\tOK', 'OK', ' O\tK', ' \x80\xff', ' O\0K', ' O\x7fK', ' O\rK', ' O\nK', ' OK ', ' OK\t'],
  ),
  lineEnd,
);
const interim = join(
  fc.constantFrom(
    'HTTP/1.1 100 Continue\r\n',
    'HTTP/1.1 103 \r\n',
    'HTTP/1.1 199\r\n',
    'HTTP/1.0 100 x\r\n',
    'HTTP/1.1 101 x\r\n',
  ),
  mostly(
    ['', 'x: y\r\n'],
    [
      'content-length: 3\r\n',
      'transfer-encoding: chunked\r\n',
      'connection: close\r\n',
      'Connection: upgrade\r\nUpgrade: x\r\n',
    ],
  ),
  lineEnd,
);
const interims = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.array(interim, { minLength: 1, maxLength: 2 }).map((texts) => texts.join('')) },
);

const extension = mostly(
  ['', '', ';a', ';a=b', ';a="b c"', ';a="\\"\xe4";d'],
  [
    ...[
      ';',
      ';;',
      '; a',
      ' ;a',
      ';a ',
      ';a\t',
      ';a=',
      ';a="b',
      ';a=b"',
      ';a = b',
      ';a=b c',
      ';a=\x80',
      ';a\0',
      ';a="\0"',
      ';a="\x7f"',
    ],
    ...[
      ';a="\n"',
      ';a="\r"',
      ';a\n',
      ';a=";\\"',
      ';=b',
      ';a=""',
      ' ',
      '\t',
      '  ',
      ',a',
      ';a="\x80"',
      ';a="b"c',
      ';a="b";',
    ],
  ],
);
const size = (length: number) => {
  const hex = length.toString(16);
  return mostly(
    [hex, hex.toUpperCase(), `0${hex}`],
    [
      `0x${hex}`,
      `+${hex}`,
      `-${hex}`,
      ` ${hex}`,
      `\t${hex}`,
      `${hex}h`,
      `${hex}_`,
      '',
      `00000000${hex}`,
      `1${'0'.repeat(16)}${hex}`,
    ],
  );
};
const data = fc.constantFrom('x', 'ab', '\r\n', '0\r\n\r\n', '\xe4'.repeat(17), 'HTTP/1.1 200 OK\r\n\r\n');
const chunk = data.chain((text) => join(size(text.length), extension, lineEnd, fc.constant(text), lineEnd));
const trailer = fc.oneof(
  { weight: 8, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: other },
  { weight: 1, arbitrary: connection },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'content-length: 1\r\n',
      'Content-Length:0\r\n',
      'transfer-encoding: chunked\r\n',
      'x\r\n',
      ' x: y\r\n',
    ),
  },
);
const chunks = join(
  fc.array(chunk, { maxLength: 3 }).map((texts) => texts.join('')),
  size(0),
  extension,
  lineEnd,
  trailer,
  lineEnd,
);

const withLength = data.chain((text) =>
  join(statusLine, fields, line(lengthName, lengthValue(text.length)), fields, lineEnd, fc.constant(text)),
);
const withChunks = join(statusLine, fields, line(encodingName, encodingValue), fields, lineEnd, chunks);
const untilClose = join(statusLine, fields, lineEnd, data);
const withBoth = join(
  statusLine,
  line(encodingName, encodingValue),
  line(lengthName, lengthValue(1)),
  fields,
  lineEnd,
  chunks,
);
const withTwoLengths = join(
  statusLine,
  line(lengthName, lengthValue(2)),
  fields,
  line(lengthName, lengthValue(2)),
  lineEnd,
  fc.constant('ab'),
);
const withTwoEncodings = join(
  statusLine,
  line(encodingName, encodingValue),
  line(encodingName, encodingValue),
  lineEnd,
  chunks,
);

export const oddResponse = join(
  interims,
  fc.oneof(
    { weight: 4, arbitrary: withLength },
    { weight: 6, arbitrary: withChunks },
    { weight: 2, arbitrary: untilClose },
    withBoth,
    withTwoLengths,
    withTwoEncodings,
  ),
  mostly([''], ['x', '\r\n', '\n', 'HTTP/1.1 200 OK\r\n\r\n']),
);
