import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyDefaults } from '@toolgate/contract/custom-tools/body-fields.ts';
import { type BodyEncoding, isMediaType } from '@toolgate/contract/custom-tools/body-format.ts';
import fc from 'fast-check';
import { FormData, Response } from 'undici';
import type { Problem } from '../../../engines/json-schema/problem.ts';
import { prepareBody, type SentBody } from './prepare-body.ts';

type Values = Record<string, unknown>;
type Fields = Partial<Parameters<typeof prepareBody>[0]>;

type Encoded = Omit<SentBody, 'body'> & { text: SentBody['body']; problems: Problem[] };

function encode(fields: Fields, given: Values): Encoded {
  const problems: Problem[] = [];
  const { body, ...sent } = prepareBody({ method: 'POST', ...bodyDefaults, ...fields })(given, problems);
  return { ...sent, text: body, problems };
}
const form = (given: Values, body_encoding: Record<string, BodyEncoding> = {}) => {
  const { text, problems } = encode({ body_format: 'form', body_encoding }, given);
  assert.deepEqual(problems, []);
  return text as string;
};
/** Percent-decoded, to be read by people. */
const plain = (...given: Parameters<typeof form>) =>
  [...new URLSearchParams(form(...given))].map(([name, value]) => `${name}=${value}`).join('&');
const problemsOf = (given: Values, body_encoding: Record<string, BodyEncoding> = {}) =>
  encode({ body_format: 'form', body_encoding }, given).problems;

const list = { a: [1, null, 'x,y'] };
const object = { a: { b: 1, c: { d: [true, null, { e: 'x' }] }, n: null } };
const styles: [what: string, given: Values, encoding: BodyEncoding | undefined, fields: string][] = [
  ['a scalar', { a: 'ä +&', b: 1.5, c: false, n: null, e: '' }, undefined, 'a=ä +&&b=1.5&c=false&e='],
  ['a list', list, undefined, 'a=1&a=x,y'],
  ['a list that is not exploded', { a: [1, 2] }, { explode: false }, 'a=1,2'],
  ['a list in brackets', list, { style: 'brackets' }, 'a[]=1&a[]=x,y'],
  ['a list in deepObject, with the index of each item', list, { style: 'deepObject' }, 'a[0]=1&a[2]=x,y'],
  ['a list between spaces', list, { style: 'spaceDelimited' }, 'a=1 x,y'],
  ['a list between pipes', list, { style: 'pipeDelimited' }, 'a=1|x,y'],
  ['a list as JSON', list, { style: 'json' }, 'a=[1,null,"x,y"]'],
  ['an object', object, undefined, 'a[b]=1&a[c][d][0]=true&a[c][d][2][e]=x'],
  ['the members of an object', { a: { b: 1, c: { d: 2 } }, z: 1 }, { style: 'form' }, 'b=1&c[d]=2&z=1'],
  ['an object as JSON', { a: { b: 1 } }, { style: 'json' }, 'a={"b":1}'],
  ['nothing', { a: [], b: {} }, undefined, ''],
];
for (const [what, given, encoding, fields] of styles)
  test(`a form has ${what}: ${fields}`, () => assert.equal(plain(given, encoding && { a: encoding }), fields));

test('a form is what the URL standard serializes: spaces are +, and only letters, digits and *-._ stay', () => {
  assert.equal(form({ "a b~'": "~!'()*-._ é\n" }), 'a+b%7E%27=%7E%21%27%28%29*-._+%C3%A9%0A');
});

const nested = (levels: number): unknown => (levels === 0 ? 'x' : { b: nested(levels - 1) });
const refused: [what: string, given: Values, encoding: BodyEncoding | undefined, message: RegExp][] = [
  ['an object in a list', { a: [{ b: 1 }] }, undefined, /must not contain objects/],
  ['a list in a list in brackets', { a: [[1]] }, { style: 'brackets' }, /must not contain objects/],
  ['an object in brackets', { a: {} }, { style: 'brackets' }, /must not be an object/],
  ['an object that is not exploded', { a: {} }, { style: 'form', explode: false }, /must not be an object/],
  ['more than ten levels', { a: nested(11) }, undefined, /10 levels/],
  ['a bracket in the name of a member', { a: { 'b][c': 1 } }, undefined, /\[ or \]/],
  ['half of a surrogate pair', { a: '\ud800' }, undefined, /well-formed/],
  ['a name with half of a surrogate pair', { a: { '\udfff': 1 } }, undefined, /well-formed/],
  ['a reserved member at the top', { a: { Member_Id: 'x' } }, { style: 'form' }, /only toolgate/],
  ['a body that grows too long', { a: { ['x'.repeat(100_000)]: Array(50).fill(1) } }, undefined, /longer than/],
];
for (const [what, given, encoding, message] of refused)
  test(`a form is refused for ${what}`, () => {
    const [problem, ...others] = problemsOf(given, encoding && { a: encoding });
    assert.deepEqual([problem?.field, others], ['a', []]);
    assert.match(problem?.message ?? '', message);
  });

test('ten levels are allowed', () => assert.match(form({ a: nested(10) }), /=x$/));

test('two arguments never become the same field, and none is part of a reserved one', () => {
  for (const [given, encoding] of [
    [{ a: { b: 1 }, 'a[b]': 2 }, {}],
    [{ b: 1, a: { b: 2 } }, { a: { style: 'form' } }],
    [{ 'a[]': 1, a: [2] }, { a: { style: 'brackets' } }],
  ] as [Values, Record<string, BodyEncoding>][])
    assert.match(problemsOf(given, encoding)[0]?.message ?? '', /becomes the field .* is too/);
  for (const name of ['member_id[]', 'Project_ID[a]'])
    for (const body_format of ['form', 'multipart'] as const)
      assert.equal(encode({ body_format }, { [name]: 'x' }).problems[0]?.field, name);
});

/** Arguments with names and texts that try to leave their place. */
const hostile = fc.string({
  unit: fc.constantFrom('a', '"', '\r', '\n', '\0', '\ud800', '=', '&', ';', '-', '[', 'ü', '%0A'),
});
const hostileArguments = fc.dictionary(
  hostile.filter((name) => name !== ''),
  fc.oneof(hostile, fc.array(hostile, { maxLength: 3 })),
);

const partsOf = async (text: string, content_type: string) => {
  const read = await new Response(text, { headers: { 'content-type': content_type } }).formData();
  return [...read].map(([name, value]) => [name, value]);
};
/** As undici reads the escapes of the HTML standard. */
const escaped = (name: string) => name.replace(/\r\n?|\n/g, '\r\n');

test('no name and no text adds a part, a field or a header; else nothing is sent', async () => {
  const check = async (given: Values) => {
    const fields = Object.entries(given).flatMap(([name, value]) => [value].flat().map((item) => [name, item]));
    const asForm = encode({ body_format: 'form' }, given);
    if (asForm.problems.length === 0) assert.deepEqual([...new URLSearchParams(asForm.text as string)], fields);
    const { text, content_type, problems } = encode({ body_format: 'multipart' }, given);
    if (problems.length > 0) return;
    const parts = await partsOf(text as string, content_type as string);
    assert.deepEqual(
      parts.map(([name, value]) => [name, value]),
      fields.map(([name, value]) => [unescapeName(escaped(name as string)), value]),
    );
  };
  await fc.assert(fc.asyncProperty(hostileArguments, check), { numRuns: 500 });
});

/** A reader cannot tell an escape from the same text. */
const unescapeName = (name: string) => name.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%22', '"');

test('multipart has the bytes of FormData: names escaped, scalars as text, lists repeated', async () => {
  const given = { 'a"b\r\nc\nd': 'x "y"', list: ['1', null, 2], yes: true, none: null, empty: [], ü: 'ä' };
  const { text, content_type } = encode({ body_format: 'multipart' }, given);
  const data = new FormData();
  for (const [name, value] of Object.entries(given))
    for (const item of [value].flat()) if (item !== null) data.append(name, String(item));
  const expected = new Response(data);
  const boundaryOf = (type: string) => type.split('boundary=')[1] as string;
  const theirs = boundaryOf(expected.headers.get('content-type') as string);
  assert.equal((text as string).replaceAll(boundaryOf(content_type as string), theirs), await expected.text());
});

test('multipart has objects and lists of them as one JSON part, and content_type overrides', () => {
  const body_encoding = {
    csv: { content_type: 'text/csv' },
    tags: { content_type: 'application/json' },
    xml: { content_type: 'application/x+y' },
  };
  const given = { o: { a: 1 }, l: [{ a: 1 }], csv: 'a,b', tags: ['x'], xml: ['1', '2'] };
  const { text, content_type } = encode({ body_format: 'multipart', body_encoding }, given);
  const boundary = (content_type as string).split('boundary=')[1] as string;
  const parts = (text as string).split(`--${boundary}`).slice(1, -1);
  assert.deepEqual(
    parts.map((part) => part.split('\r\n').slice(1, -1).join('|')),
    [
      'Content-Disposition: form-data; name="o"|Content-Type: application/json||{"a":1}',
      'Content-Disposition: form-data; name="l"|Content-Type: application/json||[{"a":1}]',
      'Content-Disposition: form-data; name="csv"|Content-Type: text/csv||a,b',
      'Content-Disposition: form-data; name="tags"|Content-Type: application/json||["x"]',
      'Content-Disposition: form-data; name="xml"|Content-Type: application/x+y||1',
      'Content-Disposition: form-data; name="xml"|Content-Type: application/x+y||2',
    ],
  );
});

test('two requests never have the same boundary, and names that are escaped alike are refused', () => {
  const types = new Set(Array.from({ length: 100 }, () => encode({ body_format: 'multipart' }, {}).content_type));
  assert.equal(types.size, 100);
  const { problems } = encode({ body_format: 'multipart' }, { 'a\n': 1, 'a\r\n': 2 });
  assert.match(problems[0]?.message ?? '', /name of the part/);
});

test('raw sends a string as it is and everything else as JSON; the other arguments go to the query', () => {
  const raw = (value: unknown, body_content_type: string | null = null) =>
    encode({ body_format: 'raw', body_argument: 'doc', body_content_type }, { a: 1, doc: value });
  const standard = { in_query: { a: 1 }, problems: [] };
  assert.deepEqual(raw('é\r\n"'), { ...standard, text: 'é\r\n"', content_type: 'text/plain; charset=utf-8' });
  assert.deepEqual(raw([1]), { ...standard, text: '[1]', content_type: 'application/json' });
  assert.deepEqual(raw('a,b', 'text/csv'), { ...standard, text: 'a,b', content_type: 'text/csv' });
  assert.deepEqual(raw(undefined), { ...standard, text: null, content_type: null });
  assert.equal(raw('\ud800').problems[0]?.field, 'doc');
});

test('a media type is one type with parameters, and nothing that could end a header', () => {
  for (const type of ['text/csv', 'application/vnd.api+json', 'text/plain; charset=utf-8', 'a/b;c="d e"'])
    assert.ok(isMediaType(type), type);
  for (const type of ['', 'text', 'text/*', '*/*', 'a/b\r\nX: y', 'a/b; c', 'a/b c', 'ä/b', 'a/b, c/d'])
    assert.ok(!isMediaType(type), type);
});
