import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerNameProblem, headerValueProblem as problemOfTool } from './custom-tools/header-rules.ts';
import { headerValueProblem, isHeaderName, isSetByService } from './header-rules.ts';

test('a header has a token of up to 128 characters as its name', () => {
  for (const name of ['x', 'X-Order-Id', "!#$%&'*+-.^_`|~09", 'x'.repeat(128)]) assert.ok(isHeaderName(name), name);
  for (const name of ['', 'a b', 'a:', 'a\n', 'ä', 'a(b)', 'x'.repeat(129)])
    assert.equal(isHeaderName(name), false, name);
});

test('a value is visible ASCII text without spaces at its ends', () => {
  for (const value of ['x', 'a b', '~ !', 'x'.repeat(8)]) assert.equal(headerValueProblem(value, 8), null, value);
  for (const value of ['', ' ', ' x', 'x ', 'a\tb', 'a\r\nb: c', 'a\0', 'é', '\x7f'])
    assert.equal(headerValueProblem(value, 8), 'must be visible ASCII characters', JSON.stringify(value));
  assert.equal(headerValueProblem('x'.repeat(9), 8), 'must have at most 8 characters');
  assert.deepEqual(
    [4_096, 4_097].map((length) => problemOfTool('x'.repeat(length)) === null),
    [true, false],
  );
});

test('a tool cannot set what frames the message, names its receiver, or is set by toolgate', () => {
  for (const name of [
    'Host',
    'CONTENT-LENGTH',
    'transfer-encoding',
    'Connection',
    'TraceParent',
    'X-Toolgate-Signature',
  ])
    assert.deepEqual([isSetByService(name.toLowerCase()), headerNameProblem(name)], [true, 'is set by toolgate'], name);
  for (const name of ['Cookie', 'Set-Cookie', 'Idempotency-Key'])
    assert.equal(headerNameProblem(name), 'is set by toolgate');
  for (const name of ['X-Toolgate', 'Accept', 'X-Api-Version']) assert.equal(headerNameProblem(name), null, name);
  assert.equal(headerNameProblem('a b'), 'is not a valid header name');
});
