import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { rank, type SearchDocument, type SearchIndex, startIndex } from './bm25.ts';

const empty: SearchDocument = { name: '', title: '', description: '', arguments: '', tags: '' };

function indexOf(documents: Partial<SearchDocument>[]): Promise<SearchIndex> {
  const index = startIndex();
  for (const document of documents) index.add({ ...empty, ...document });
  return index.finish();
}

const find = async (documents: Partial<SearchDocument>[], query: string, visible?: number[]) => {
  const index = await indexOf(documents);
  return rank(index, query, 10, new Set(visible ?? documents.keys()));
};

test('a tool is found by its name, title, description, argument names and tags', async () => {
  const documents = [
    { name: 'refund_order' },
    { title: 'Invoices' },
    { description: 'Cancels a shipment' },
    { arguments: 'warehouse_id' },
    { tags: 'loyalty' },
  ];
  for (const [at, query] of ['refund', 'invoice', 'shipments', 'warehouse', 'loyalty'].entries())
    assert.deepEqual(await find(documents, query), [at]);
  assert.deepEqual(await find(documents, 'unrelated'), []);
});

test('a word in the name counts more than the same word in a long description', async () => {
  const long = 'refund '.concat('words about orders and customers '.repeat(20));
  assert.deepEqual(await find([{ name: 'orders', description: long }, { name: 'refund_payment' }], 'refund'), [1, 0]);
});

test('a rare word counts more than one that many tools have', async () => {
  const many = Array.from({ length: 20 }, (_, at) => ({ name: `list_${at}` }));
  const found = await find([...many, { name: 'list_orders' }, { name: 'show_invoices' }], 'list invoices');
  assert.equal(found[0], 21);
});

test('a verb that means the same finds a tool, after one that has the verb itself', async () => {
  assert.deepEqual(await find([{ name: 'delete_order' }, { name: 'remove_order' }], 'remove order'), [1, 0]);
});

test('only visible tools are found, each once', async () => {
  const document = fc.record({
    ...{ name: fc.constantFrom('get_order', 'list_orders', 'delete_user', 'pay') },
    description: fc.array(fc.constantFrom('order', 'user', 'refund', 'list', 'the')).map((words) => words.join(' ')),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(document, { minLength: 1, maxLength: 12 }), fc.nat(), async (documents, seed) => {
      const visible = [...documents.keys()].filter((at) => ((seed >> at) & 1) === 0);
      const found = await find(documents, 'refund order user', visible);
      assert.ok(found.every((at) => visible.includes(at)));
      assert.equal(new Set(found).size, found.length);
    }),
  );
});

test('an index without tools, and a query without terms, find nothing', async () => {
  assert.deepEqual(await find([], 'order'), []);
  assert.deepEqual(await find([{ name: 'order' }], 'the !? '), []);
});
