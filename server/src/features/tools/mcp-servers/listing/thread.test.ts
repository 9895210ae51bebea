import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { McpProblem } from '../../../../mcp-client/message.ts';
import type { NewListed } from '../listed-store.ts';
import { createListings } from './thread.ts';

const listings = createListings();
const listing = listings.open();
after(async () => {
  listing.close();
  await listings.close();
});

const begin = { slug: 'up', names: [], known: [] as string[], views: { known: [] as string[], room: 4 * 2 ** 20 } };
const tool = (name: string, size = 0) => ({
  name,
  inputSchema: { type: 'object' },
  _meta: { filler: '- '.repeat(size / 2) },
});

function pageOf(
  tools: unknown,
  { secrets = [] as string[], known = begin.known, nextCursor = null as string | null } = {},
) {
  const message = { jsonrpc: '2.0', id: 7, result: { tools, nextCursor } };
  return {
    unread: Buffer.from(JSON.stringify(message)),
    request_id: 7,
    begin: { ...begin, known },
    secrets,
  };
}

async function readAll(
  page: ReturnType<typeof pageOf>,
): Promise<{ pieces: NewListed[][]; next_cursor: string | null }> {
  const { next_cursor } = await listing.readPage(page);
  return { pieces: await readPieces(), next_cursor };
}

async function readPieces(): Promise<NewListed[][]> {
  const pieces: NewListed[][] = [];
  for (let is_last = false; !is_last; ) {
    const piece = await listing.next();
    pieces.push(piece.tools);
    is_last = piece.is_last;
  }
  return pieces;
}

const bytesOf = (tools: NewListed[]) =>
  tools.reduce((sum, { definition, warnings }) => sum + `${definition}${warnings}`.length, 0);

describe('a page of a list', () => {
  test('comes back in pieces of at most 256 KiB, complete and in its order', async () => {
    const tools = Array.from({ length: 60 }, (_, index) => tool(`t${index}`, index % 2 ? 150_000 : 10_000));
    const { pieces, next_cursor } = await readAll(pageOf(tools, { nextCursor: 'more' }));
    assert.deepEqual(
      pieces.flat().map(({ upstream_name }) => upstream_name),
      tools.map(({ name }) => name),
    );
    assert.ok(pieces.length > 15, `${pieces.length}`);
    for (const piece of pieces) assert.ok(bytesOf(piece) <= 256 * 1024, `${bytesOf(piece)}`);
    assert.equal(next_cursor, 'more');
    const [first] = pieces.flat();
    assert.deepEqual(JSON.parse(first?.definition ?? ''), tools[0]);
  });

  test('names a definition that is known without its text, and one that is too large without its content', async () => {
    const { pieces } = await readAll(pageOf([tool('a'), tool('large', 200_000)]));
    const [a, large] = pieces.flat();
    assert.deepEqual(JSON.parse(large?.definition ?? ''), { name: 'large' });
    assert.deepEqual(JSON.parse(large?.warnings ?? ''), [{ code: 'definition_not_supported', path: '' }]);
    const again = await readAll(pageOf([tool('a')], { known: [a?.hash ?? ''] }));
    assert.deepEqual(again.pieces.flat(), [{ ...a, definition: null, warnings: null }]);
  });

  test('of known definitions takes as many pieces: the work of each is bounded', async () => {
    const tools = Array.from({ length: 20 }, (_, index) => tool(`t${index}`, 50_000));
    const known = (await readAll(pageOf(tools))).pieces.flat().map(({ hash }) => hash);
    const { pieces } = await readAll(pageOf(tools, { known }));
    assert.equal(pieces.flat().length, 20);
    assert.ok(pieces.length >= 3, `${pieces.length}`);
  });

  test('has warnings of a bounded size, however long the names of its properties are', async () => {
    const hidden = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`p${index}`, { description: 'a\u200bb' }]),
    );
    const given = { name: 'a', inputSchema: { type: 'object', properties: { ['n'.repeat(100_000)]: hidden } } };
    const { pieces } = await readAll(pageOf([given]));
    const [{ warnings = null } = {}] = pieces.flat();
    const found = JSON.parse(warnings ?? '[]') as { code: string; path: string }[];
    assert.ok(found.some(({ code, path }) => code === 'invisible_characters' && path === '/inputSchema/properties'));
    assert.ok(`${warnings}`.length < 64 * 1024);
  });

  test('that is no list of tools is refused with the reason', async () => {
    const refused: [unread: Buffer | string, kind: string][] = [
      ['{"jsonrpc":"2.0","id":7,"result":{"tools":{}}}', 'protocol'],
      ['{"jsonrpc":"2.0","id":7,"result":{"tools":[1]}}', 'protocol'],
      ['{"jsonrpc":"2.0","id":8,"result":{"tools":[]}}', 'protocol'],
      ['{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no"}}', 'protocol'],
      ['{"jsonrpc":"2.0","id":7,"result":{"tools":[],"nextCursor":5}}', 'protocol'],
      [`{"jsonrpc":"2.0","id":7,"result":{"tools":[],"nextCursor":"${'c'.repeat(10_000)}"}}`, 'protocol'],
      [Buffer.from('{"jsonrpc":"2.0","id":7,"result":{"tools":[{"name":"\xff"}]}}', 'latin1'), 'protocol'],
      [pageOf(Array.from({ length: 10_001 }, () => ({}))).unread, 'too_large'],
      [`{"jsonrpc":"2.0","id":7,"result":{"tools":[${'{"a":1},'.repeat(200_001)}{}]}}`, 'too_large'],
    ];
    for (const [unread, kind] of refused)
      await assert.rejects(
        listing.readPage({ ...pageOf([]), unread }),
        (error) => error instanceof McpProblem && error.kind === kind,
        String(unread).slice(0, 80),
      );
    assert.deepEqual((await readAll(pageOf([tool('a')]))).pieces.flat().length, 1);
  });
});

describe('the credential of the server', () => {
  const secrets = ['s3cret"token', 's3cret\\"token', '1234567'];
  const read = async (given: object) => {
    const { pieces } = await readAll(pageOf([given], { secrets }));
    return pieces.flat();
  };

  test('is redacted in texts, in names of properties and in numbers, before the definition is hashed', async () => {
    const given = (secret: string, pin: number) => ({
      name: 'a',
      description: `Send ${secret} twice: ${secret}`,
      inputSchema: { type: 'object', properties: { [secret]: { const: pin } }, required: [secret] },
    });
    const [redacted] = await read(given('s3cret"token', 1_234_567));
    const text = '[redacted]';
    const properties = { [text]: { const: text } };
    assert.deepEqual(JSON.parse(redacted?.definition ?? ''), {
      name: 'a',
      description: `Send ${text} twice: ${text}`,
      inputSchema: { type: 'object', properties, required: [text] },
    });
    const [other] = await read({ ...given(text, 0), inputSchema: { type: 'object', properties, required: [text] } });
    assert.equal(other?.hash, redacted?.hash);
  });

  test('is in no name of a tool: such a tool is left out', async () => {
    assert.deepEqual(await read(tool('x1234567')), []);
    assert.equal((await read(tool('x123456'))).length, 1);
  });
});
