// Copies a tool under another name, with its secret: for a name, a description or arguments that only some callers should see.

import type { CustomTool, ToolDuplicate } from '@toolgate/contract/custom-tools/custom-tool.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { refuseNarrowed } from '../../../access/narrowed-caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { createTools } from './create.ts';
import { requireTool } from './find.ts';
import { openSecret } from './replace-secret.ts';
import { definitionOf } from './tool.ts';

export async function duplicateTool(
  app: App,
  caller: Caller,
  id_or_name: string,
  { name }: ToolDuplicate,
): Promise<CustomTool> {
  return transact(app, async (app) => {
    const row = await requireTool(app.database, projectOf(caller).id, id_or_name);
    // The copy is in the toolsets of its tags.
    if (row.tags.length > 0) refuseNarrowed(caller);
    const secret = (await openSecret(app, row, 'auth_secret'))?.toString() ?? null;
    const definition = { ...definitionOf(row), name };
    const [tool] = await createTools(app, caller, [
      { definition, tags: row.tags, weight: row.weight, is_enabled: false, secret },
    ]);
    return tool as CustomTool;
  });
}
