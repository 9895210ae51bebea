import assert from 'node:assert/strict';
import { test } from 'node:test';
import { directories, rulesOf } from '@toolgate/contract/directories/rules.ts';
import { hasHidden } from '@toolgate/contract/hidden-characters.ts';
import { checkCalls } from './call-checks.ts';
import { checkDrift } from './drift.ts';
import type { Finding } from './finding.ts';
import { collectFindings } from './report.ts';
import { type CheckedTool, checkTool } from './tool-checks.ts';

const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const tool: CheckedTool = {
  id: 'tool_1',
  name: 'find_order',
  title: 'Find an order',
  description: 'Finds an order by its number.',
  method: 'GET',
  annotations: hints,
  confirm: null,
};
const rulesOfTool = (fields: Partial<CheckedTool>) =>
  checkTool({ ...tool, ...fields }, { confirm_destructive: false }).map(({ rule }) => rule);

for (const [title, fields, expected] of [
  ['a tool that says everything of itself violates nothing', {}, []],
  ['one hint that is derived', { annotations: { ...hints, openWorldHint: undefined } }, ['hints_set']],
  ['a title among the annotations is a title', { title: null, annotations: { ...hints, title: 'Find' } }, []],
  ['no title', { title: null }, ['titles_set']],
  ['a title that cannot be seen', { title: '\u200b' }, ['titles_set']],
  ['a name of 64 characters', { name: 'x'.repeat(64) }, []],
  ['a name of 65 characters', { name: 'x'.repeat(65) }, ['name_length']],
  ['no description', { description: null }, ['description_text']],
  ['a description of 19 characters', { description: 'x'.repeat(19) }, ['description_text']],
  ['a description of 20 characters', { description: 'x'.repeat(20) }, []],
  ['spaces at the ends do not count', { description: `${' '.repeat(9)}${'x'.repeat(19)} ` }, ['description_text']],
  ['a description of 1,024 characters', { description: '👍'.repeat(1_024) }, []],
  ['a description of 1,025 characters', { description: 'x'.repeat(1_025) }, ['description_text']],
  ['a POST that only reads', { method: 'POST' }, []],
  ['a DELETE that only reads', { method: 'DELETE' }, ['reads_and_destroys']],
  [
    'a GET that destroys',
    { annotations: { ...hints, readOnlyHint: false, destructiveHint: true } },
    ['reads_and_destroys', 'confirmation'],
  ],
  [
    'hints that contradict each other',
    { method: 'POST', annotations: { ...hints, destructiveHint: true } },
    ['reads_and_destroys', 'confirmation'],
  ],
] as [string, Partial<CheckedTool>, string[]][])
  test(`checks of a tool: ${title}`, () => assert.deepEqual(rulesOfTool(fields), expected));

test('a destructive tool has a confirmation by its own field, or by the setting of the project', () => {
  const destroying: CheckedTool = {
    ...tool,
    method: 'DELETE',
    annotations: { ...hints, readOnlyHint: false, destructiveHint: true },
  };
  const found = (confirm: object | null, confirm_destructive: boolean) =>
    checkTool({ ...destroying, confirm }, { confirm_destructive }).map(({ rule }) => rule);
  assert.deepEqual(found(null, false), ['confirmation']);
  assert.deepEqual(found({ by: 'user' }, false), []);
  assert.deepEqual(found(null, true), []);
});

test('characters that cannot be seen are found, those of words and emoji are not', () => {
  for (const seen of [
    'Größe',
    '日本語',
    'two\nlines\tand tabs',
    '👨‍👩‍👧 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇩🇪',
    'naïve — “quotes”',
    'שלום',
    'العربية',
  ])
    assert.equal(hasHidden(seen), false, seen);
  for (const code of [
    0x00, 0x1b, 0xad, 0x61c, 0x115f, 0x200b, 0x200e, 0x202e, 0x2066, 0x2028, 0x2800, 0x3164, 0xfe0f, 0xfeff, 0xe0041,
    0xe0100,
  ])
    assert.equal(hasHidden(`a${String.fromCodePoint(code)}b`), true, code.toString(16));
});

const called = { tool_id: 'tool_1', name: 'find_order', calls: 1_000, read: 100, p95_tokens: 10, violations: 0 };
const rulesOfCalls = (fields: object) => checkCalls({ ...called, ...fields }).map(({ rule }) => rule);

test('25,000 tokens are too many, and one result of a hundred that violates its schema is one too many', () => {
  assert.deepEqual(rulesOfCalls({}), []);
  assert.deepEqual(rulesOfCalls({ p95_tokens: null }), []);
  assert.deepEqual(rulesOfCalls({ p95_tokens: 24_999 }), []);
  assert.deepEqual(rulesOfCalls({ p95_tokens: 25_000 }), ['result_tokens']);
  assert.deepEqual(rulesOfCalls({ violations: 9 }), []);
  assert.deepEqual(rulesOfCalls({ violations: 10 }), ['schema_violations']);
  assert.deepEqual(rulesOfCalls({ calls: 0, violations: 1 }), ['schema_violations'], 'a call that is not counted yet');
});

test('a report has every rule of its directory, in order, and counts what it does not name', () => {
  const finding = (at: number): Finding => ({
    rule: 'hints_set',
    tool_id: `tool_${at}`,
    message: 'Not set.',
    remedy: 'Set it.',
  });
  for (const directory of directories) {
    const findings = collectFindings();
    findings.add(Array.from({ length: 10_000 }, (_, at) => finding(at)));
    const drift = { since: '2026-11-01T00:00:00Z', total: 70, tools: [] as never[] };
    const tools = Array.from({ length: 50 }, (_, at) => ({ tool_id: `tool_${at}`, name: 'a', kind: 'added' as const }));
    findings.add(checkDrift({ ...drift, tools }, directory), 20);
    const { checks } = findings.toReport(directory);
    assert.deepEqual(
      [...new Set(checks.map(({ id }) => id))],
      rulesOf(directory).map(({ id }) => id),
    );
    const of = (rule: string) => checks.filter(({ id }) => id === rule);
    if (directory !== 'registry') assert.match(of('hints_set').at(-1)?.message ?? '', /^9,950 more/);
    assert.match(of('definitions_changed').at(-1)?.message ?? '', /^20 more/);
    assert.ok(checks.length < 150);
  }
});

test('every rule states where it comes from', () => {
  for (const directory of directories)
    for (const { id, applied } of rulesOf(directory)) {
      assert.equal(URL.parse(applied.source.url)?.protocol, 'https:', id);
      assert.match(applied.source.read_on, /^\d{4}-\d\d-\d\d$/, id);
    }
});
