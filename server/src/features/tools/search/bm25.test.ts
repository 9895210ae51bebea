import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { rank, type SearchDocument, type SearchIndex, startIndex } from './bm25.ts';

const empty: SearchDocument = { name: '', title: '', description: '', arguments: '', tags: '' };

function indexOf(documents: Partial<SearchDocument>[]): SearchIndex {
  const index = startIndex();
  for (const document of documents) index.add({ ...empty, ...document });
  return index.finish();
}

const find = (documents: Partial<SearchDocument>[], query: string, visible?: number[]) => {
  const index = indexOf(documents);
  return rank(index, query, 10, new Set(visible ?? documents.keys()));
};

test('a tool is found by its name, title, description, argument names and tags', () => {
  const documents = [
    { name: 'refund_order' },
    { title: 'Invoices' },
    { description: 'Cancels a shipment' },
    { arguments: 'warehouse_id' },
    { tags: 'loyalty' },
  ];
  for (const [at, query] of ['refund', 'invoice', 'shipments', 'warehouse', 'loyalty'].entries())
    assert.deepEqual(find(documents, query), [at]);
  assert.deepEqual(find(documents, 'unrelated'), []);
});

test('a word in the name counts more than the same word in a long description', () => {
  const long = 'refund '.concat('words about orders and customers '.repeat(20));
  assert.deepEqual(find([{ name: 'orders', description: long }, { name: 'refund_payment' }], 'refund'), [1, 0]);
});

test('a rare word counts more than one that many tools have', () => {
  const many = Array.from({ length: 20 }, (_, at) => ({ name: `list_${at}` }));
  const found = find([...many, { name: 'list_orders' }, { name: 'show_invoices' }], 'list invoices');
  assert.equal(found[0], 21);
});

test('a verb that means the same finds a tool, after one that has the verb itself', () => {
  assert.deepEqual(find([{ name: 'delete_order' }, { name: 'remove_order' }], 'remove order'), [1, 0]);
});

test('only visible tools are found, each once', () => {
  const document = fc.record({
    ...{ name: fc.constantFrom('get_order', 'list_orders', 'delete_user', 'pay') },
    description: fc.array(fc.constantFrom('order', 'user', 'refund', 'list', 'the')).map((words) => words.join(' ')),
  });
  fc.assert(
    fc.property(fc.array(document, { minLength: 1, maxLength: 12 }), fc.nat(), (documents, seed) => {
      const visible = [...documents.keys()].filter((at) => ((seed >> at) & 1) === 0);
      const found = find(documents, 'refund order user', visible);
      assert.ok(found.every((at) => visible.includes(at)));
      assert.equal(new Set(found).size, found.length);
    }),
  );
});

test('an index without tools, and a query without terms, find nothing', () => {
  assert.deepEqual(find([], 'order'), []);
  assert.deepEqual(find([{ name: 'order' }], 'the !? '), []);
});
