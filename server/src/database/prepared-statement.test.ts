import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestDatabase } from '../../test/support/database/test-database.ts';
import { preparedStatement } from './prepared-statement.ts';

const { pool, close } = await openTestDatabase();
after(close);

test('the values of parameters are sent by their names, however often and in whatever order they are used', async () => {
  type Params = { less: number; from: number; note: string | null };
  const subtract = preparedStatement<Params, { rest: number; note: string | null }>(
    'subtract',
    (param) =>
      `select ${param.from}::int - ${param.less}::int - ${param.less}::int as rest, ${param.note}::text as note`,
  );
  assert.deepEqual(await subtract(pool, { less: 2, from: 10, note: null }), [{ rest: 6, note: null }]);
  assert.deepEqual(await subtract(pool, { note: 'x', from: 1, less: 1 }), [{ rest: -1, note: 'x' }]);
});
