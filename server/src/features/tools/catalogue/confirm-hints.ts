// Sets the derived hints of tools as they are listed, so that they no longer follow from the method: somebody confirmed them.

import { derivedAnnotations, listedAnnotations } from '@toolgate/contract/custom-tools/hints.ts';
import type { Caller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { definitionOf, type ToolRow } from './tool.ts';
import { saveUpdates, type Update } from './update.ts';

/** The rows must be locked. Returns those that changed. */
export async function confirmHintsLocked(app: App, caller: Caller, rows: ToolRow[]): Promise<ToolRow[]> {
  const updates = rows.map(confirmation).filter((update) => update !== null);
  return updates.length === 0 ? [] : saveUpdates(app, caller, updates);
}

/** Null: every hint is set. The title is no hint: it stays as it is. */
function confirmation(row: ToolRow): Update | null {
  const definition = definitionOf(row);
  const derived = derivedAnnotations(definition.annotations);
  if (derived.length === 0) return null;
  const listed = listedAnnotations(definition);
  const confirmed = Object.fromEntries(derived.map((name) => [name, listed[name]]));
  return { row, change: { annotations: { ...definition.annotations, ...confirmed } } };
}
