import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { useSeed } from '../../test/support/property-seed.ts';
import { EVERY_TOOL, isWithin, type Layer, layersKey, layersOf, refusingLayer } from './layers.ts';

useSeed();

const seen = (toolset_ids: Record<string, string[] | null>, tool_in: string[]) =>
  refusingLayer(layersOf(toolset_ids), new Set(tool_in));

for (const [title, layers, tool_in, refused_by] of [
  ['nothing narrows: every tool', {}, [], null],
  ['null narrows nothing', { key: null, integration: null }, [], null],
  ['an empty list is no tool', { key: [] }, ['a'], 'key'],
  ['a tool in one of the toolsets', { key: ['a', 'b'] }, ['b'], null],
  ['a tool in no toolset', { key: ['a'] }, [], 'key'],
  ['a tool in another toolset', { key: ['a'] }, ['b'], 'key'],
  ['each layer by another toolset', { key: ['a'], integration: ['b'] }, ['a', 'b'], null],
  ['one layer refuses', { key: ['a'], integration: ['b'] }, ['a'], 'integration'],
  ['the first layer that refuses is named', { key: ['x'], client: ['y'], provider: ['z'] }, [], 'key'],
] as [string, Record<string, string[] | null>, string[], string | null][])
  test(`${title}: ${refused_by === null ? 'seen' : `refused by the ${refused_by}`}`, () => {
    assert.equal(seen(layers, tool_in), refused_by);
  });

const toolset = fc.constantFrom('a', 'b', 'c', 'd');
const toolsets = fc.uniqueArray(toolset);
const layer = fc.record({
  name: fc.constantFrom<Layer['name']>('key', 'integration', 'client', 'provider', 'member', 'grant', 'url'),
  toolset_ids: toolsets,
});
const layers = fc.array(layer, { maxLength: 4 });
const tool = toolsets.map((ids) => new Set(ids));

test('adding any layer never adds a tool', () => {
  fc.assert(
    fc.property(layers, layer, fc.nat(4), tool, (before, added, at, tool_in) => {
      const after = before.toSpliced(at, 0, added);
      if (refusingLayer(before, tool_in) !== null) assert.notEqual(refusingLayer(after, tool_in), null);
    }),
  );
});

test('taking a toolset out of a layer never adds a tool', () => {
  fc.assert(
    fc.property(layers, toolset, tool, (before, taken, tool_in) => {
      const after = before.map(({ name, toolset_ids }) => ({
        name,
        toolset_ids: toolset_ids.filter((id) => id !== taken),
      }));
      if (refusingLayer(before, tool_in) !== null) assert.notEqual(refusingLayer(after, tool_in), null);
    }),
  );
});

test('the order of layers does not matter for what is seen', () => {
  fc.assert(
    fc.property(layers, tool, (given, tool_in) => {
      assert.equal(refusingLayer(given, tool_in) === null, refusingLayer(given.toReversed(), tool_in) === null);
    }),
  );
});

test('what is within other layers sees no tool that they do not see', () => {
  fc.assert(
    fc.property(layers, layers, tool, (narrow, wide, tool_in) => {
      if (isWithin(narrow, wide) && refusingLayer(narrow, tool_in) === null)
        assert.equal(refusingLayer(wide, tool_in), null);
    }),
  );
});

for (const [narrow, wide, expected] of [
  [{}, {}, true],
  [{ key: ['a'] }, {}, true],
  [{}, { key: ['a'] }, false],
  [{ key: [] }, { key: ['a'] }, true],
  [{ key: ['a'] }, { key: ['a', 'b'] }, true],
  [{ key: ['a', 'c'] }, { key: ['a', 'b'] }, false],
  [{ key: ['a'] }, { key: ['a'], integration: ['b'] }, false],
  [{ key: ['a'], integration: ['b'] }, { key: ['a'], integration: ['b'] }, true],
  [{ key: null, integration: ['a'] }, { key: ['a'] }, true],
] as [Record<string, string[] | null>, Record<string, string[] | null>, boolean][])
  test(`${JSON.stringify(narrow)} is ${expected ? '' : 'not '}within ${JSON.stringify(wide)}`, () => {
    assert.equal(isWithin(layersOf(narrow), layersOf(wide)), expected);
  });

test('layers that narrow nothing are no layers', () => {
  assert.equal(layersOf({ key: null }), EVERY_TOOL);
});

test('layers have one key if and only if they have the same toolsets, in whatever order', () => {
  const keys = [{}, { key: [] }, { key: ['a'] }, { key: ['a', 'b'] }, { key: ['a'], integration: ['b'] }].map((given) =>
    layersKey(layersOf(given)),
  );
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(layersKey(layersOf({ key: ['b', 'a'] })), layersKey(layersOf({ member: ['a', 'b'] })));
});
