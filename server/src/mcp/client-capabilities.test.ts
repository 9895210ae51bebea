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

test('a tool that requires no capability may be called by every client', () => {
  checkClientCapabilities({ type: 'object' }, {});
  assert.equal(missing({}, {}), null);
});

test('a client that declares the required capabilities may call the tool', () => {
  assert.equal(missing({ sampling: {} }, { sampling: { tools: {} }, roots: {} }), null);
  assert.equal(missing({ extensions: { 'example.com/ui': {} } }, { extensions: { 'example.com/ui': { v: 1 } } }), null);
});

test('the error names exactly the capabilities that are missing', () => {
  assert.deepEqual(missing({ sampling: {}, roots: {} }, { roots: {} }), { sampling: {} });
  assert.deepEqual(missing({ elicitation: { url: {}, form: {} } }, { elicitation: { form: {} } }), {
    elicitation: { url: {} },
  });
});

test('properties inherited from Object.prototype do not count as declared', () => {
  assert.deepEqual(missing({ constructor: {}, toString: {} }, {}), { constructor: {}, toString: {} });
});
