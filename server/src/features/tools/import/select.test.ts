import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSelected, matchesPattern } from './select.ts';

const operation = (method: string, path: string, more: object = {}) => ({
  method,
  path,
  item: {},
  operation: { ...more },
});
const listOrders = operation('get', '/v1/orders', { operationId: 'orders/list', tags: ['orders', 'public'] });
const makeRefund = operation('post', '/v1/orders/{id}/refunds', { operationId: 'refunds/create', tags: ['refunds'] });
const untagged = operation('delete', '/v1/orders/{id}');

test('an asterisk stands for any characters, and everything else for itself', () => {
  const matching: [pattern: string, text: string][] = [
    ['*', ''],
    ['*', 'a/b'],
    ['a', 'a'],
    ['/v1/*', '/v1/orders/{id}'],
    ['*/{id}', '/v1/orders/{id}'],
    ['a*b*c', 'a-b-b-c'],
    ['**', 'a'],
    ['a.c', 'a.c'],
  ];
  for (const [pattern, text] of matching) assert.ok(matchesPattern(pattern, text), `${pattern} ${text}`);
  const others: [pattern: string, text: string][] = [
    ['', 'a'],
    ['a', 'A'],
    ['a.c', 'abc'],
    ['/v1/*', '/v2/orders'],
    ['ab*bc', 'abc'],
    ['a*b*c', 'a-c-b'],
  ];
  for (const [pattern, text] of others) assert.ok(!matchesPattern(pattern, text), `${pattern} ${text}`);
});

test('a rule matches what has all of its parts, a list what one of its rules matches', () => {
  const selected = (include: object[], exclude: object[] = []) =>
    [listOrders, makeRefund, untagged].map((given) => isSelected(given, { include, exclude }));
  assert.deepEqual(selected([{ tag: 'orders' }]), [true, false, false]);
  assert.deepEqual(selected([{ method: 'GET' }, { method: 'delete' }]), [true, false, true]);
  assert.deepEqual(selected([{ path: '/v1/orders*', method: 'post' }]), [false, true, false]);
  assert.deepEqual(selected([{ operation_id: '*/create' }]), [false, true, false]);
  assert.deepEqual(selected([{ path: '*' }], [{ tag: 'public' }]), [false, true, true]);
});

test('without include all are selected but what is excluded', () => {
  assert.ok(isSelected(listOrders, { exclude: [] }));
  assert.ok(!isSelected(listOrders, { exclude: [{ operation_id: 'orders/*' }] }));
});
