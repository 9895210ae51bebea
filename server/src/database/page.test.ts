import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { insertProject, openTestDatabase } from '../../test/support/database/test-database.ts';
import { ApiError } from '../errors/errors.ts';
import { newId } from './ids.ts';
import { makePage, type PageQuery, readPage } from './page.ts';

const { database, close } = await openTestDatabase();
after(close);

async function addKey(project_id: string, created_at?: string): Promise<string> {
  const id = newId('key');
  const hash = Buffer.from(id.padEnd(32).slice(0, 32));
  const shown = {
    name: 'key',
    permissions: ['read' as const],
    prefix: 'svc_test_abc',
    last4: 'wxyz',
    created_by: 'root',
  };
  await database
    .insertInto('api_keys')
    .values({ id, project_id, hash, ...shown, ...(created_at === undefined ? {} : { created_at }) })
    .execute();
  return id;
}

async function read(project_id: string, query: PageQuery) {
  const keys = database.selectFrom('api_keys').select(['id', 'created_at']).where('project_id', '=', project_id);
  const page = await readPage(keys, 'api_keys', query);
  return makePage(page, page.rows);
}

async function readAllPages(project_id: string, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(project_id, { limit, cursor });
    assert.equal(page.object, 'list');
    assert.ok(page.data.length <= limit);
    assert.equal(page.has_more, page.next_cursor !== null);
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return ids;
}

const cursorOf = (text: string) => Buffer.from(text).toString('base64url');

test('an empty list is one empty page', async () => {
  const project_id = await insertProject(database);
  assert.deepEqual(await read(project_id, { limit: 20 }), {
    object: 'list',
    data: [],
    has_more: false,
    next_cursor: null,
  });
});

test('pages of any size return the whole list, newest first, without gaps or repeats', async () => {
  const project_id = await insertProject(database);
  const ids: string[] = [];
  for (let i = 0; i < 12; i += 1) ids.unshift(await addKey(project_id));
  for (const limit of [1, 5, 6, 11, 12, 100]) assert.deepEqual(await readAllPages(project_id, limit), ids);
});

test('entries with the same timestamp are neither lost nor repeated between pages', async () => {
  const project_id = await insertProject(database);
  const ids: string[] = [];
  for (let i = 0; i < 7; i += 1) ids.push(await addKey(project_id, '2026-11-15T12:00:00.123456Z'));
  for (const limit of [1, 2, 3]) assert.deepEqual((await readAllPages(project_id, limit)).sort(), ids.sort());
});

test('a cursor stays correct while entries are added and its own entry is deleted', async () => {
  const project_id = await insertProject(database);
  const ids: string[] = [];
  for (let i = 0; i < 6; i += 1) ids.unshift(await addKey(project_id));
  const { next_cursor, data } = await read(project_id, { limit: 3 });
  await addKey(project_id);
  await database
    .deleteFrom('api_keys')
    .where('id', '=', data.at(-1)?.id ?? '')
    .execute();
  const rest = await read(project_id, { limit: 3, cursor: next_cursor ?? '' });
  assert.deepEqual(
    rest.data.map(({ id }) => id),
    ids.slice(3),
  );
});

test('a cursor gives no access to another project', async () => {
  const [mine, theirs] = [await insertProject(database), await insertProject(database)];
  for (let i = 0; i < 3; i += 1) await addKey(theirs);
  const { next_cursor } = await read(theirs, { limit: 1 });
  await addKey(mine);
  const page = await read(mine, { limit: 100, cursor: next_cursor ?? '' });
  for (const { id } of page.data) assert.ok((await readAllPages(mine, 10)).includes(id));
});

const isRefusal = (error: unknown) =>
  error instanceof ApiError && error.status === 422 && error.details.field === 'cursor';

for (const [what, cursor] of Object.entries({
  'that is empty': '',
  'that is no base64url': '!!!',
  'without an id': cursorOf('2026-11-15T12:00:00Z '),
  'with a day that does not exist': cursorOf('2026-02-30T12:00:00Z key_1'),
  'of the year 0': cursorOf('0000-01-01T00:00:00Z key_1'),
  'with hour 24': cursorOf('2026-11-15T24:00:00Z key_1'),
  'with minute 60': cursorOf('2026-11-15T12:60:00Z key_1'),
  'with a quote': cursorOf("2026-11-15T12:00:00Z key'1"),
  'with NUL': cursorOf('2026-11-15T12:00:00Z key\0'),
})) {
  test(`a cursor ${what} is refused`, async () => {
    const project_id = await insertProject(database);
    await assert.rejects(read(project_id, { limit: 1, cursor }), isRefusal);
  });
}

test('any text as a cursor returns a page or a refusal, never an error', async () => {
  const project_id = await insertProject(database);
  const digits = fc.integer({ min: 0, max: 99 }).map((n) => String(n).padStart(2, '0'));
  const nearly = fc
    .tuple(digits, digits, digits, digits, digits, digits, digits)
    .map(([century, year, month, day, hour, minute, second]) =>
      cursorOf(`${century}${year}-${month}-${day}T${hour}:${minute}:${second}Z key_1`),
    );
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), nearly), async (cursor) => {
      await read(project_id, { limit: 1, cursor }).catch((error: unknown) =>
        assert.ok(isRefusal(error), String(error)),
      );
    }),
    { numRuns: 300 },
  );
});
