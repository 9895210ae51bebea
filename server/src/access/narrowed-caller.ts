// What a caller that sees only some toolsets may not do: change what others see, or let something see more than it sees itself.

import { refuse } from '../errors/errors.ts';
import type { Caller } from './caller.ts';
import { EVERY_TOOL, isWithin, type Layers, layersOf } from './layers.ts';

/** People and the root key see every tool. What a person granted cannot be handed on: others would see tools that join it later. */
function layersOfCaller(caller: Caller): Layers {
  if (caller.kind === 'member' && caller.grant)
    return [...caller.layers.filter(({ name }) => name !== 'grant'), { name: 'grant', toolset_ids: [] }];
  return caller.kind === 'root' || caller.kind === 'account' ? EVERY_TOOL : caller.layers;
}

export const isNarrowed = (caller: Caller) => layersOfCaller(caller).length > 0;

/** For changes of toolsets, tags, the rules for members, and of what sees all calls: hooks and log streams. */
export function refuseNarrowed(caller: Caller): void {
  if (isNarrowed(caller)) throw refuse.insufficientPermissions({ details: { reason: 'credential_is_narrowed' } });
}

/** Refuses what would see more tools than the caller. `given` are all layers that what is saved will have. */
export function refuseBeyondCaller(caller: Caller, given: Parameters<typeof layersOf>[0]): void {
  if (isWithin(layersOf(given), layersOfCaller(caller))) return;
  throw refuse.insufficientPermissions({ details: { field: 'toolset_ids', reason: 'toolsets_beyond_credential' } });
}
