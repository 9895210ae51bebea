import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { argumentLines, confirmationMessage } from './message.ts';

const tool = { title: 'Refund an order', method: 'POST', host: 'api.example.com' };

test('a message names the tool, where the call goes, and every argument on a line of its own', () => {
  assert.equal(
    confirmationMessage(tool, { order_id: '1017', amount: 12.5, 'a b': [true, null] }),
    'Confirm: Refund an order\nPOST api.example.com\norder_id: "1017"\namount: 12.5\n"a b": [true,null]',
  );
});

test('no argument forges a line, hides text or turns its direction', () => {
  const bad = 'x\n\u202eamount: 1\u200b\u2066\u00a0\u{e0041}\ufeff\u0085\u2028\ufe0f\u3164';
  for (const given of [{ note: bad }, { [bad]: 1 }, { note: { [bad]: [bad] } }]) {
    const lines = argumentLines(given);
    assert.equal(lines.length, 1);
    assert.match(lines[0] as string, /^[\x20-\x7e]+$/);
    assert.ok(lines[0]?.includes('\\u202e'));
  }
});

test('whatever the arguments are, there is one visible line for each, and its value can be read back', () => {
  const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)));
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), json, { maxKeys: 5 }), (given) => {
      const lines = argumentLines(given);
      assert.equal(lines.length, Object.keys(given).length);
      for (const [at, value] of Object.values(given).entries()) {
        const line = lines[at] as string;
        assert.doesNotMatch(line, /[\p{C}\p{Zl}\p{Zp}]/u);
        const text = /^(?:[\w.-]+|"(?:[^"\\]|\\.)*"): (.*)$/s.exec(line)?.[1] ?? '';
        assert.deepEqual(JSON.parse(text), value);
      }
    }),
  );
});

test('what does not fit is not cut: there is no message', () => {
  assert.equal(confirmationMessage(tool, { note: 'x'.repeat(2100) }), null);
  assert.equal(confirmationMessage(tool, { note: 'é'.repeat(1000) }), null);
  assert.notEqual(confirmationMessage(tool, { note: 'x'.repeat(1900) }), null);
});
