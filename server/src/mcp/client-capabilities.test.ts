import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkClientCapabilities } from './client-capabilities.ts';
import { RpcError } from './json-rpc.ts';
import { metaKeys } from './protocol.ts';

const check = (required: unknown, declared: unknown) =>
  checkClientCapabilities(
    { type: 'object', 'x-toolgate-client-capabilities': required },
    { [metaKeys.client_capabilities]: declared },
  );

const missing = (required: unknown, declared: unknown) => {
  try {
    check(required, declared);
  } catch (error) {
    assert.ok(error instanceof RpcError);
    assert.deepEqual([error.code, error.status], [-32021, 400]);
    return (error.data as { requiredCapabilities: object }).requiredCapabilities;
  }
  return null;
};

test('a tool that needs nothing of the client is for every client', () => {
  checkClientCapabilities({ type: 'object' }, {});
  assert.equal(missing({}, {}), null);
});

test('a client that declares what a tool needs may call it', () => {
  assert.equal(missing({ sampling: {} }, { sampling: { tools: {} }, roots: {} }), null);
  assert.equal(missing({ extensions: { 'example.com/ui': {} } }, { extensions: { 'example.com/ui': { v: 1 } } }), null);
});

test('a client is told exactly what it lacks', () => {
  assert.deepEqual(missing({ sampling: {}, roots: {} }, { roots: {} }), { sampling: {} });
  assert.deepEqual(missing({ elicitation: { url: {}, form: {} } }, { elicitation: { form: {} } }), {
    elicitation: { url: {} },
  });
});

test('what every object inherits is not declared', () => {
  assert.deepEqual(missing({ constructor: {}, toString: {} }, {}), { constructor: {}, toString: {} });
});
