// What a caller that sees only some toolsets may not do: change what others see, or let something see more than it sees itself.

import type { Caller } from '../access/caller.ts';
import { EVERY_TOOL, isWithin, type Layers, layersOf } from '../access/layers.ts';
import type { App } from '../app.ts';
import { invalidField, refuse } from '../errors/errors.ts';

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

/** Call in the transaction that saves the ids: a toolset cannot be deleted before it ends. */
export async function refuseUnknownToolsets(
  app: App,
  project_id: string,
  toolset_ids: readonly string[] | null | undefined,
): Promise<void> {
  if (!toolset_ids || toolset_ids.length === 0) return;
  const rows = await app.database
    .selectFrom('toolsets')
    .select('id')
    .where('project_id', '=', project_id)
    .where('id', 'in', toolset_ids)
    .orderBy('id')
    .forKeyShare()
    .execute();
  const known = rows.map(({ id }) => id);
  for (const [at, value] of toolset_ids.entries())
    if (!known.includes(value))
      throw invalidField(`toolset_ids.${at}`, 'must be the id of a toolset of this project', {
        reason: 'toolset_unknown',
        value,
      });
}
