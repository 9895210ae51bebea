// The edits of two people, the tools of a toolset, what their list costs, and the slug of a name: the parts without a page.

import assert from 'node:assert/strict';
import { test } from 'node:test';

/** Not names that the compiler follows: pages have the types of a browser, tests those of Node. */
const folder: string = '../src/features/toolsets';
const { mergeEdits, changeOf } = await import(`${folder}/edits.ts`);
const { memberTest, isMember, listedTools, estimateTokens, aboutTokens } = await import(
  `${folder}/../tool-access/membership.ts`
);
const { slugOf } = await import(`${folder}/slug.ts`);

const base = {
  ...{ name: 'Support', description: '', only: null, grant: 'never', exposure: 'list' },
  ...{ tool_ids: ['a', 'b', 'c'], tags: ['orders'], pinned_tool_ids: [] },
};

test('what two people add to and remove from a list is all kept', () => {
  const mine = { ...base, tool_ids: ['a', 'b', 'd'] };
  const stored = { ...base, tool_ids: ['b', 'c', 'e'], tags: ['orders', 'money'] };
  const { values, conflicts, theirs } = mergeEdits(base, mine, stored);
  assert.deepEqual(values.tool_ids, ['b', 'e', 'd']);
  assert.deepEqual(values.tags, ['orders', 'money']);
  assert.deepEqual([conflicts, theirs], [[], ['tool_ids', 'tags']]);
  assert.deepEqual(changeOf(stored, values), { tool_ids: ['b', 'e', 'd'] });
});

test('a field that only the other person changed is theirs, and is not sent', () => {
  const { values, conflicts } = mergeEdits(base, { ...base, name: 'Staff' }, { ...base, description: 'Refunds' });
  assert.deepEqual([values.name, values.description, conflicts], ['Staff', 'Refunds', []]);
  assert.deepEqual(changeOf({ ...base, description: 'Refunds' }, values), { name: 'Staff' });
});

test('a field that both changed is a conflict, unless both chose the same', () => {
  const mine = { ...base, name: 'Mine', grant: 'baseline' };
  const { values, conflicts } = mergeEdits(base, mine, { ...base, name: 'Theirs', grant: 'baseline' });
  assert.deepEqual([values.name, conflicts], ['Mine', ['name']]);
});

test('an emptied description is sent as null, and an order alone is no change', () => {
  const described = { ...base, description: 'Refunds' };
  assert.deepEqual(changeOf(described, { ...described, description: '' }), { description: null });
  assert.deepEqual(changeOf(base, { ...base, tool_ids: ['c', 'a', 'b'] }), {});
});

const tool = (id: string, more: object = {}) => ({
  fixed_arguments: {},
  listed_annotations: { readOnlyHint: false },
  id,
  name: id,
  tags: [],
  is_enabled: true,
  ...more,
});
const readOnly = { listed_annotations: { readOnlyHint: true } };

test('a tool is in a toolset if it is picked or has a tag, and is read-only where that is asked for', () => {
  const reasonOf = memberTest({ tool_ids: ['a', 'b'], tags: ['orders'], only: 'read_only' });
  const kinds = [
    tool('a', readOnly),
    tool('b'),
    tool('c', { tags: ['orders'], ...readOnly }),
    tool('d', { tags: ['money'], ...readOnly }),
  ].map((each) => reasonOf(each));
  assert.deepEqual(kinds, [
    { kind: 'picked' },
    { kind: 'not_read_only' },
    { kind: 'tag', tag: 'orders' },
    { kind: 'not_chosen' },
  ]);
  assert.deepEqual(kinds.map(isMember), [true, false, true, false]);
});

test('a disabled tool costs nothing, nor does one that is searched and not pinned', () => {
  const members = [tool('a'), tool('b', { is_enabled: false }), tool('c')];
  const ids = (choice: object) => listedTools(members, choice).map(({ id }: { id: string }) => id);
  assert.deepEqual(ids({ exposure: 'list', pinned_tool_ids: [] }), ['a', 'c']);
  assert.deepEqual(ids({ exposure: 'search', pinned_tool_ids: ['b', 'c'] }), ['c']);
});

test('tokens are a fourth of the UTF-8 bytes of the definitions, and said with two digits', () => {
  const schema = (names: string[]) => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: names,
  });
  const description = 'ü'.repeat(400);
  const definition = { name: 'a', description, inputSchema: schema(['id']), annotations: { readOnlyHint: false } };
  const bytes = Buffer.byteLength(JSON.stringify(definition));
  // What the tool sets itself is not listed.
  const given = tool('a', { description, input_schema: schema(['id', 'shop']), fixed_arguments: { shop: 'eu' } });
  assert.equal(estimateTokens([given]), Math.ceil(bytes / 4));
  assert.ok(estimateTokens([tool('a')]) > 0);
  assert.equal(estimateTokens([]), 0);
  assert.deepEqual([0, 57, 3449, 123_456].map(aboutTokens), [
    'about 0 tokens',
    'about 57 tokens',
    'about 3,400 tokens',
    'about 120,000 tokens',
  ]);
});

test('a slug is made of what fits of a name', () => {
  const slugs = ['Support staff', 'Équipe support (EU)', '24/7 desk', '  ', '日本', `a${'b-'.repeat(30)}`].map(slugOf);
  assert.deepEqual(slugs, ['support-staff', 'equipe-support-eu', 'desk', '', '', `a${'b-'.repeat(19)}b`]);
});
