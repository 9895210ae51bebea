// Lists the tools that a model may call: the enabled ones, and those with require_member only for a member, and only tools that every
// layer of the caller sees. A caller that searches gets only those that are listed.

import { listedAnnotations } from '@toolgate/contract/custom-tools/hints.ts';
import type { TokenCaller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { fileArgumentsOfTool, listedInputSchema } from '../catalogue/file-arguments.ts';
import { outputSchemaForModels } from '../catalogue/file-result-schema.ts';
import { listedUiOf } from '../catalogue/listed-ui.ts';
import { selectListing, selectListingHash, selectListingSizes } from '../catalogue/listing-store.ts';
import type { ToolForModel } from './tool-call.ts';

/** Large, because many clients never request a second page. */
const MAX_LISTED = 500;
const MAX_LISTED_BYTES = 2 ** 20;

/** One page of the tools whose names sort after `after`. */
export async function listToolsForModel(
  app: App,
  caller: TokenCaller,
  { after, only_listed }: { after: string; only_listed: boolean },
): Promise<{ tools: ToolForModel[]; has_more: boolean }> {
  const { project, layers } = caller;
  const range = { with_member: caller.kind === 'member', layers, only_listed, after };
  return app.permits.run(project, async () => {
    const sizes = await selectListingSizes(app.database, project.id, range, MAX_LISTED + 1);
    const count = pageLength(sizes);
    const last = sizes[count - 1];
    const rows = last ? await selectListing(app.database, project.id, { ...range, last: last.name }) : [];
    const tools = rows.map(({ method, source, fixed_arguments, response, polling, ...row }) => ({
      ...row,
      input_schema: listedInputSchema({ ...row, fixed_arguments, source }),
      file_arguments: fileArgumentsOfTool({ ...row, source }),
      output_schema: outputSchemaForModels({ ...row, response, polling, source }),
      ui: listedUiOf(source),
      annotations: listedAnnotations({ ...row, method: source ? null : method }),
    }));
    return { tools, has_more: sizes.length > count };
  });
}

/** Changes with anything that the pages show. */
export async function hashToolsForModel(app: App, caller: TokenCaller, only_listed: boolean): Promise<string> {
  const { project, layers } = caller;
  const seen = { with_member: caller.kind === 'member', layers, only_listed };
  return app.permits.run(project, () => selectListingHash(app.database, project.id, seen));
}

/** As many as fit, and at least one. */
function pageLength(sizes: { stored_bytes: number }[]): number {
  let bytes = 0;
  const end = sizes.findIndex(({ stored_bytes }, index) => {
    bytes += stored_bytes;
    return index === MAX_LISTED || (index > 0 && bytes > MAX_LISTED_BYTES);
  });
  return end === -1 ? sizes.length : end;
}
