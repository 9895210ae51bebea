import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../errors/errors.ts';
import type { Caller } from './caller.ts';
import { layersOf } from './layers.ts';
import { isNarrowed, refuseBeyondCaller, refuseNarrowed } from './narrowed-caller.ts';

const key = (...toolset_ids: string[]) => ({ kind: 'api_key', layers: layersOf({ key: toolset_ids }) }) as Caller;
const everything = { kind: 'api_key', layers: layersOf({}) } as Caller;
const root = { kind: 'root', project: null } as Caller;
const account = { kind: 'account' } as Caller;
const granted = { kind: 'member', layers: layersOf({ grant: ['a'] }), grant: {} } as unknown as Caller;
const asserted = { kind: 'member', layers: layersOf({ member: ['a'] }), grant: null } as unknown as Caller;

const refusedFor = (reason: string) => (error: unknown) =>
  error instanceof ApiError && error.status === 403 && error.details.reason === reason;

test('a credential with a layer, and whatever a person granted, is narrowed; people, the root key and other keys are not', () => {
  for (const caller of [key('a'), key(), granted, asserted]) {
    assert.equal(isNarrowed(caller), true);
    assert.throws(() => refuseNarrowed(caller), refusedFor('credential_is_narrowed'));
  }
  for (const caller of [everything, root, account]) {
    assert.equal(isNarrowed(caller), false);
    assert.doesNotThrow(() => refuseNarrowed(caller));
  }
});

for (const [title, caller, given, isAllowed] of [
  ['a narrowed key gives one of its toolsets', key('a', 'b'), { key: ['a'] }, true],
  ['a narrowed key gives no tool', key('a'), { key: [] }, true],
  ['a narrowed key gives another toolset', key('a'), { key: ['b'] }, false],
  ['a narrowed key gives every tool', key('a'), { key: null }, false],
  ['a key without layers gives every tool', everything, { key: null }, true],
  ['the root key gives every tool', root, { key: null }, true],
  ['a person gives every tool', account, { key: null }, true],
  ['a granted session gives what it was granted', granted, { key: ['a'] }, false],
  ['a granted session gives no tool', granted, { key: [] }, true],
  ['an asserted session gives what it has', asserted, { key: ['a'] }, true],
] as [string, Caller, Record<string, string[] | null>, boolean][])
  test(`${title}: ${isAllowed ? 'allowed' : 'refused'}`, () => {
    const save = () => refuseBeyondCaller(caller, given);
    if (isAllowed) assert.doesNotThrow(save);
    else assert.throws(save, refusedFor('toolsets_beyond_credential'));
  });
