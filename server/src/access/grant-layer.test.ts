import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { useSeed } from '../../test/support/property-seed.ts';
import { type GrantLayer, grantLayer, isGranted, missingScopes, type ScopeToolset } from './grant-layer.ts';
import { type Layers, refusingLayer } from './layers.ts';

useSeed();

const at = (second: number) => new Date(second * 1000).toISOString();
const base: ScopeToolset = { id: 'tst_base', slug: 'base', grant: 'baseline' };
const extra: ScopeToolset = { id: 'tst_extra', slug: 'extra', grant: 'on_request' };
const gone = 'tst_gone';

/** When the grant was made, or a toolset of it approved. */
const APPROVED = 10;
const before = 5_000;
const later = 15_000;

type Case = {
  title: string;
  approved: string[] | null;
  scopes: ScopeToolset[];
  only?: string[];
  /** The toolsets of the tool, and since when it can change something there; null: it only reads. */
  tool: Record<string, number | null>;
  /** `granted`, `hidden`, or the scopes to ask for. */
  expected: string;
};

const cases: Case[] = [
  { title: 'no toolset is a scope, nothing was narrowed', approved: null, scopes: [], tool: {}, expected: 'granted' },
  { title: 'no toolset is a scope any more', approved: [base.id], scopes: [], tool: {}, expected: 'mcp tool:t' },
  {
    title: 'no toolset is a scope any more, and the token was narrowed to one',
    approved: null,
    scopes: [],
    only: [base.id],
    tool: {},
    expected: 'mcp tool:t',
  },
  {
    title: 'a tool in an approved toolset',
    approved: [base.id],
    scopes: [base],
    tool: { tst_base: before },
    expected: 'granted',
  },
  {
    title: 'a reading tool that joined later',
    approved: [base.id],
    scopes: [base],
    tool: { tst_base: null },
    expected: 'granted',
  },
  {
    title: 'a writing tool that joined later',
    approved: [base.id],
    scopes: [base],
    tool: { tst_base: later },
    expected: 'mcp tools:base tool:t',
  },
  {
    title: 'a tool on request',
    approved: [base.id],
    scopes: [base, extra],
    tool: { tst_extra: null },
    expected: 'mcp tools:extra',
  },
  {
    title: 'a baseline toolset that was unticked',
    approved: [],
    scopes: [base],
    tool: { tst_base: null },
    expected: 'mcp tools:base',
  },
  { title: 'a tool in no toolset', approved: [base.id], scopes: [base], tool: {}, expected: 'hidden' },
  {
    title: 'a tool in a toolset that is no scope',
    approved: [base.id],
    scopes: [base],
    tool: { tst_other: null },
    expected: 'hidden',
  },
  {
    title: 'an approved toolset that is no scope any more',
    approved: [gone],
    scopes: [base],
    tool: { tst_gone: null },
    expected: 'hidden',
  },
  {
    title: 'a tool in two toolsets of which one is approved',
    approved: [base.id],
    scopes: [base, extra],
    tool: { tst_base: before, tst_extra: later },
    expected: 'granted',
  },
  {
    title: 'a tool that is new in one toolset and old in another',
    approved: [base.id, extra.id],
    scopes: [base, extra],
    tool: { tst_base: later, tst_extra: before },
    expected: 'granted',
  },
  {
    title: 'a tool that is new in an approved toolset, and in another one',
    approved: [base.id],
    scopes: [base, extra],
    tool: { tst_base: later, tst_extra: before },
    expected: 'mcp tools:base tool:t',
  },
  {
    title: 'a tool in two toolsets that are not approved',
    approved: [],
    scopes: [extra, base],
    tool: { tst_base: null, tst_extra: null },
    expected: 'mcp tools:base',
  },
  {
    title: 'a token that was narrowed to another toolset',
    approved: [base.id, extra.id],
    scopes: [base, extra],
    only: [extra.id],
    tool: { tst_base: null },
    expected: 'mcp tools:base',
  },
  {
    title: 'a grant of every tool, and a reading tool of a baseline toolset',
    approved: null,
    scopes: [base],
    tool: { tst_base: null },
    expected: 'granted',
  },
  {
    title: 'a grant of every tool, and a writing tool that joined later',
    approved: null,
    scopes: [base],
    tool: { tst_base: later },
    expected: 'mcp tools:base tool:t',
  },
  {
    title: 'a grant of every tool, and a tool on request',
    approved: null,
    scopes: [base, extra],
    tool: { tst_extra: null },
    expected: 'mcp tools:extra',
  },
  {
    title: 'a grant of every tool, and a tool that no scope has',
    approved: null,
    scopes: [base],
    tool: {},
    expected: 'hidden',
  },
];

const grantOf = (approved: string[] | null, seconds = APPROVED) => ({
  toolsets: approved && Object.fromEntries(approved.map((id) => [id, at(seconds)])),
  created_at: at(seconds),
});

function outcome(layer: GrantLayer | null, tool: Case['tool']): string {
  const toolsets = new Map(Object.entries(tool));
  if (layer === null || isGranted(layer, toolsets)) return 'granted';
  return missingScopes(layer, 't', toolsets)?.join(' ') ?? 'hidden';
}

for (const { title, approved, scopes, only = null, tool, expected } of cases)
  test(`${title}: ${expected}`, () => {
    assert.equal(outcome(grantLayer(grantOf(approved), scopes, only), tool), expected);
  });

const ids = ['tst_a', 'tst_b', 'tst_c'];
const someIds = fc.uniqueArray(fc.constantFrom(...ids));
const scopeToolsets = fc.uniqueArray(
  fc.record({ id: fc.constantFrom(...ids), grant: fc.constantFrom('baseline' as const, 'on_request' as const) }),
  { selector: ({ id }) => id },
);
const toolOf = fc.dictionary(fc.constantFrom(...ids), fc.option(fc.constantFrom(before, later)));
const grants = fc.record({
  approved: fc.option(someIds),
  scopes: scopeToolsets.map((list) => list.map((each) => ({ ...each, slug: each.id.slice(4) }))),
  only: fc.option(someIds),
  tool: toolOf,
});

const isSeen = ({
  approved,
  scopes,
  only,
  tool,
}: {
  approved: string[] | null;
  scopes: ScopeToolset[];
  only: string[] | null;
  tool: Case['tool'];
}) => outcome(grantLayer(grantOf(approved), scopes, only), tool) === 'granted';

test('nothing that is taken from a grant adds a tool: an approval, a scope of a toolset that stays, a toolset of the token', () => {
  fc.assert(
    fc.property(grants, fc.constantFrom(...ids), (given, taken) => {
      if (isSeen(given)) return;
      const without = (list: string[] | null) => list?.filter((id) => id !== taken) ?? null;
      assert.ok(!isSeen({ ...given, approved: without(given.approved) }));
      assert.ok(!isSeen({ ...given, only: (given.only ?? ids).filter((id) => id !== taken) }));
      const scopes = given.scopes.filter(({ id }) => id !== taken);
      if (given.approved !== null || scopes.length > 0) assert.ok(!isSeen({ ...given, scopes }));
      const asked = given.scopes.map((each) => (each.id === taken ? { ...each, grant: 'on_request' as const } : each));
      assert.ok(!isSeen({ ...given, scopes: asked }));
    }),
  );
});

test('a tool that joins later, or begins to change something, is never granted by that', () => {
  fc.assert(
    fc.property(grants, fc.constantFrom(...ids), (given, joined) => {
      const layer = grantLayer(grantOf(given.approved), given.scopes, given.only);
      if (layer === null || isSeen(given)) return;
      assert.ok(!isSeen({ ...given, tool: { ...given.tool, [joined]: later } }));
    }),
  );
});

test('asking for the scopes of a challenge, and approving them, grants the tool', () => {
  fc.assert(
    fc.property(grants, ({ approved, scopes, tool }) => {
      const toolsets = new Map(Object.entries(tool));
      const layer = grantLayer(grantOf(approved), scopes, null);
      const missing = layer && !isGranted(layer, toolsets) ? missingScopes(layer, 't', toolsets) : null;
      if (missing === null || scopes.length === 0) return;
      const wanted = scopes.filter(({ slug }) => missing.includes(`tools:${slug}`)).map(({ id }) => id);
      assert.equal(wanted.length, 1);
      const toolsets_then = { ...grantOf(approved ?? []).toolsets, ...grantOf(wanted, 20).toolsets };
      const after = grantLayer({ toolsets: toolsets_then, created_at: at(20) }, scopes, null);
      assert.equal(outcome(after, tool), 'granted');
    }),
  );
});

test('with any other layers, a grant never adds a tool, and a layer never adds one to a grant', () => {
  const layers = fc.array(fc.record({ name: fc.constant('client' as const), toolset_ids: someIds }), { maxLength: 3 });
  fc.assert(
    fc.property(grants, layers, someIds, (given, before, toolset_ids) => {
      const tool_in = new Map(Object.entries(given.tool));
      const of_grant = grantLayer(grantOf(given.approved), given.scopes, given.only);
      const sees = (list: Layers, grant: GrantLayer | null) =>
        refusingLayer(list, tool_in) === null && (grant === null || isGranted(grant, tool_in));
      if (!sees(before, null)) assert.ok(!sees(before, of_grant));
      if (!sees(before, of_grant)) assert.ok(!sees([...before, { name: 'url', toolset_ids }], of_grant));
    }),
  );
});
