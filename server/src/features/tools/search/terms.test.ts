import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { synonymsOf, termsOf } from './terms.ts';

const same = (...texts: string[]) => {
  const [first, ...rest] = texts.map((text) => termsOf(text).join(' '));
  for (const other of rest) assert.equal(other, first, texts.join(' / '));
};

test('words of a name are found however it is written', () => {
  same('list_pull_requests', 'listPullRequests', 'list-pull-requests', 'ListPullRequests', 'list pull requests');
  same('getHTTPStatus', 'get http status');
  same('v2Orders', 'v 2 orders');
});

test('endings of grammar make no difference', () => {
  same('delete repository', 'deleting repositories', 'deleted repository', 'deletes repositories');
  same('create', 'creating', 'created', 'creation');
  same('tag', 'tags', 'tagged', 'tagging');
  same('deploy', 'deployment', 'deployments', 'deploying');
  assert.notEqual(termsOf('address').join(), termsOf('addres').join());
  assert.deepEqual(termsOf('status'), ['status']);
});

test('markup, addresses of links and words that say nothing are left out', () => {
  assert.deepEqual(termsOf('<p>Voids a <b>payment</b></p>'), termsOf('voids payment'));
  assert.deepEqual(termsOf('see [orders](https://docs.example.com/rest/users#x)'), termsOf('see orders'));
  assert.deepEqual(termsOf('the of with to'), []);
});

test('accents make no difference, and scripts without spaces are found by pairs of characters', () => {
  same('résumé', 'resume');
  assert.deepEqual(termsOf('注文取消'), ['注文', '文取', '取消']);
  assert.deepEqual(termsOf('取消'), ['取消']);
  assert.deepEqual(termsOf('заказы'), ['заказы']);
});

test('verbs that mean the same in an API are synonyms, both ways', () => {
  assert.ok(synonymsOf(termsOf('remove')[0] as string).includes(termsOf('deleting')[0] as string));
  assert.ok(synonymsOf(termsOf('deleting')[0] as string).includes(termsOf('remove')[0] as string));
  assert.deepEqual(synonymsOf('order'), []);
});

test('any text has terms that are short, and the same ones with runs that are known', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ maxLength: 200 }), (one, other) => {
      const known = new Map();
      for (const text of [one, other, one]) {
        const terms = termsOf(text, known);
        assert.deepEqual(terms, termsOf(text));
        assert.ok(terms.every((term) => term.length > 0 && term.length <= 40));
      }
    }),
  );
});
