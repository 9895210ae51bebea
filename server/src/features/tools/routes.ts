// Serves /custom-tools, and the encryption key.

import { customToolRoutes } from '@toolgate/contract/custom-tools/routes.ts';
import { MAX_RESPONSE_BYTES } from '@toolgate/contract/projects/rules.ts';
import { projectOf } from '../../access/caller.ts';
import { create } from '../../api/create.ts';
import { implement } from '../../api/implement.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { executeTool } from './calls/execute.ts';
import { explainSignature } from './calls/https/explain-signature.ts';
import { previewRequest } from './calls/preview.ts';
import { previewDefinition } from './calls/preview-definition.ts';
import { previewResponse } from './calls/results/preview-response.ts';
import { changeTools } from './catalogue/bulk.ts';
import { checkNewTool, createTool } from './catalogue/create.ts';
import { deleteTool } from './catalogue/delete.ts';
import { duplicateTool } from './catalogue/duplicate.ts';
import { listTools, requireTool } from './catalogue/find.ts';
import { setToolEnabled } from './catalogue/set-enabled.ts';
import { showTool } from './catalogue/tool.ts';
import { updateTool } from './catalogue/update.ts';
import { getVersion, listVersions } from './catalogue/versions.ts';
import { serveToolImport } from './import/routes.ts';

/** Schemas are nested deeper than other bodies, and have more members. */
const json_limits = { max_depth: 100, max_members: 50_000 };

/** The text of a response inside of JSON: in the worst case most of its characters are quotes with a backslash before them. */
const MAX_RESPONSE_BODY_BYTES = 2 * MAX_RESPONSE_BYTES + 64 * 1024;

export async function serveCustomTools(server: Server, app: App): Promise<void> {
  implement(
    server,
    app,
    customToolRoutes,
    {
      // The check takes time: it comes before the transaction that keeps the response.
      createCustomTool: async (app, { caller, body, raw, reply }) => {
        const checked = await checkNewTool(app, caller, body);
        return create(app, raw, reply, (app) => createTool(app, caller, checked));
      },
      listCustomTools: (app, { caller, query: { is_enabled, search, tag, ...page } }) =>
        listTools(app, caller, { is_enabled, search, tag }, page),
      getCustomTool: async (app, { caller, params }) =>
        showTool(await requireTool(app.database, projectOf(caller).id, params.tool_id), app.now()),
      updateCustomTool: (app, { caller, params, body }) => updateTool(app, caller, params.tool_id, body),
      duplicateCustomTool: (app, { caller, params, body }) => duplicateTool(app, caller, params.tool_id, body),
      deleteCustomTool: (app, { caller, params }) => deleteTool(app, caller, params.tool_id),
      enableCustomTool: (app, { caller, params }) => setToolEnabled(app, caller, params.tool_id, true),
      disableCustomTool: (app, { caller, params }) => setToolEnabled(app, caller, params.tool_id, false),
      listCustomToolVersions: (app, { caller, params, query }) => listVersions(app, caller, params.tool_id, query),
      getCustomToolVersion: (app, { caller, params }) => getVersion(app, caller, params.tool_id, params.version),
      executeCustomTool: executeTool,
      previewCustomTool: (app, { caller, params, body }) => previewRequest(app, caller, params.tool_id, body),
      previewToolDefinition: (app, { caller, body }) => previewDefinition(app, caller, body),
      previewToolResponse: (app, { caller, params, body }) => previewResponse(app, caller, params.tool_id, body),
      verifyToolSignature: (app, { caller, params, body }) => explainSignature(app, caller, params.tool_id, body),
      getEncryptionKey: (app, { caller }) => app.secrets.currentEncryptionKey(app.database, projectOf(caller).id),
      changeCustomTools: (app, { caller, body }) => changeTools(app, caller, body),
    },
    {
      createCustomTool: { json_limits, handles_idempotency_key: true },
      updateCustomTool: { json_limits },
      executeCustomTool: { database_permit: false, kind: 'execute', handles_idempotency_key: true },
      previewCustomTool: { database_permit: false },
      previewToolDefinition: { database_permit: false, json_limits },
      previewToolResponse: { database_permit: false, body_limit: MAX_RESPONSE_BODY_BYTES },
    },
  );
  await serveToolImport(server, app);
}
