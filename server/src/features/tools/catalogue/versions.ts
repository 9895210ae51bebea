// Lists the versions of a tool and reads one of them.

import {
  type CustomToolDefinition,
  type CustomToolVersion,
  definitionDefaults,
} from '@toolgate/contract/custom-tools/custom-tool.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { refuse } from '../../../errors/errors.ts';
import { requireTool } from './find.ts';
import { showDefinition } from './tool.ts';
import { pageOfVersions, selectVersion, type VersionRow } from './version-store.ts';

export async function listVersions(
  app: App,
  caller: Caller,
  id_or_name: string,
  query: PageQuery,
): Promise<Page<CustomToolVersion>> {
  const project_id = projectOf(caller).id;
  const { id } = await requireTool(app.database, project_id, id_or_name);
  const page = await pageOfVersions(app.database, project_id, id, query);
  return makePage(page, page.rows.map(showVersion));
}

export async function getVersion(
  app: App,
  caller: Caller,
  id_or_name: string,
  version: number,
): Promise<CustomToolVersion> {
  const project_id = projectOf(caller).id;
  const { id } = await requireTool(app.database, project_id, id_or_name);
  const row = await selectVersion(app.database, project_id, id, version);
  if (!row) throw refuse.notFound();
  return showVersion(row);
}

const showVersion = (row: VersionRow): CustomToolVersion => ({
  object: 'custom_tool_version',
  ...row,
  // Versions that were saved before a field came have its default.
  definition: showDefinition({ ...definitionDefaults, ...(row.definition as CustomToolDefinition) }),
});
