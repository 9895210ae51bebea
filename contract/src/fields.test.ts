import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { name, pageQuery, text, timestampInput } from './fields.ts';

const isTime = (text: unknown) => timestampInput.safeParse(text).success;

for (const text of [
  '2027-01-31T00:00:00Z',
  '2028-02-29T23:59:59Z',
  '2027-01-31T00:00:00.123456789Z',
  '9999-12-31T23:59:59.999Z',
]) {
  test(`${text} is a time`, () => assert.ok(isTime(text)));
}

for (const text of [
  '2027-02-29T00:00:00Z',
  '2027-04-31T00:00:00Z',
  '2027-13-01T00:00:00Z',
  '2027-00-10T00:00:00Z',
  '2027-01-00T00:00:00Z',
  '2027-01-31T24:00:00Z',
  '2027-01-31T23:60:00Z',
  '2027-01-31T23:59:60Z',
  '2027-01-31T00:00:00',
  '2027-01-31T00:00:00+00:00',
  '2027-01-31T00:00:00z',
  '2027-01-31 00:00:00Z',
  '2027-01-31T00:00Z',
  '2027-01-31',
  '+002027-01-31T00:00:00Z',
  ' 2027-01-31T00:00:00Z',
  '2027-01-31T00:00:00Z\n',
  '',
]) {
  test(`${JSON.stringify(text)} is not a time`, () => assert.equal(isTime(text), false));
}

test('every valid time is accepted, and no other text makes the check throw', () => {
  const dates = fc.date({
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  });
  fc.assert(fc.property(dates, (date) => isTime(date.toISOString())));
  fc.assert(fc.property(fc.string(), (text) => typeof isTime(text) === 'boolean'));
});

test('a name is any text of 1 to 128 characters that PostgreSQL can store', () => {
  const isName = (text: unknown) => name.safeParse(text).success;
  for (const text of ['x', 'x'.repeat(128), '日本語', '🎉', ' padded ']) assert.ok(isName(text), text);
  for (const text of ['', ' ', '\n\t', 'x'.repeat(129), 'a\0b', 'a\ud800', 7, null]) assert.equal(isName(text), false);
});

test('a page has 1 to 100 entries, 20 by default', () => {
  const limitOf = (limit?: string) => pageQuery.safeParse(limit === undefined ? {} : { limit }).data?.limit;
  assert.deepEqual([limitOf(), limitOf('1'), limitOf('100')], [20, 1, 100]);
  for (const limit of ['0', '101', '01', '1.0', '1e1', '-1', ' 1', '']) assert.equal(limitOf(limit), undefined, limit);
});

test('no further check runs on a text that is too long', () => {
  const checked: string[] = [];
  const field = text(1, 5).refine((value) => checked.push(value));
  assert.equal(field.safeParse('fine').success, true);
  assert.equal(field.safeParse('a\0'.repeat(100)).error?.issues.length, 1);
  assert.deepEqual(checked, ['fine']);
});
