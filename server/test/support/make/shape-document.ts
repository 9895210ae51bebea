// Shapes a document as a call does, for tests.

import assert from 'node:assert/strict';
import { compileRule, type ResponseRule } from '../../../src/shaping/compile.ts';
import { shapeBytes } from '../../../src/shaping/shape.ts';

export const bytesOf = (text: string) => Buffer.from(text).toString('latin1');
export const textOf = (bytes: string) => Buffer.from(bytes, 'latin1').toString();

export function shape(document: unknown, rule: ResponseRule) {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  const shaped = shapeBytes(bytesOf(text), compileRule(rule), false);
  return shaped.kind === 'json' ? { ...shaped, text: textOf(shaped.json) } : shaped;
}

export function shapedValue(document: unknown, rule: ResponseRule): any {
  const shaped = shape(document, rule);
  assert.equal(shaped.kind, 'json');
  return JSON.parse((shaped as { text: string }).text);
}
