// resources/list, resources/read and resources/templates/list: the views (MCP Apps) of the tools that this caller may call. There are no
// other resources.

import type { SourceView } from '@toolgate/contract/custom-tools/tool-source.ts';
import type { Project } from '../access/caller.ts';
import { findView, type ListedView, listViews } from '../features/tools/views/views.ts';
import { RpcError } from './json-rpc.ts';
import type { Method, MethodCall } from './method.ts';
import { serverInfoOf } from './server-info.ts';

const VIEW_TYPE = 'text/html;profile=mcp-app';

/** In the capabilities of the server. */
export const viewCapabilities = {
  resources: {},
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [VIEW_TYPE] } },
};

export const resourcesList: Method = async (app, caller, call) => {
  const { cursor } = call.params;
  const { views, has_more } = await listViews(app, caller, cursor === undefined ? '' : readCursor(cursor));
  const last = views.at(-1);
  const next = has_more && last ? { nextCursor: Buffer.from(last.uri).toString('base64url') } : {};
  return resultText(caller.project, call, { resources: views.map(describe), ...next });
};

export const resourceTemplatesList: Method = (_app, { project }, call) =>
  resultText(project, call, { resourceTemplates: [] });

export const resourcesRead: Method = async (app, caller, call) => {
  const { uri } = call.params;
  if (typeof uri !== 'string') throw new RpcError('invalid_params', 'params.uri must be a string', { status: 200 });
  const found = await findView(app, caller, uri);
  if (!found) throw unknownResource(uri, call);
  // The URI that was asked for: hosts look for it.
  const content = { uri, mimeType: VIEW_TYPE, text: found.html, _meta: { ui: uiOf(found.view) } };
  return resultText(caller.project, call, { contents: [content] });
};

/** The same for one that does not exist and for one of a tool that the caller cannot call. */
function unknownResource(uri: string, { protocol }: MethodCall): RpcError {
  const code = protocol === 'modern' ? 'invalid_params' : 'resource_not_found';
  return new RpcError(code, 'Unknown resource', { status: 200, reason: 'unknown_resource', data: { uri } });
}

function describe({ name, title, ...view }: ListedView) {
  return { uri: view.uri, name, ...(title === null ? {} : { title }), mimeType: VIEW_TYPE, _meta: { ui: uiOf(view) } };
}

const uiOf = ({ csp, prefers_border }: SourceView) => ({
  csp: { connectDomains: csp.connect_domains, resourceDomains: csp.resource_domains },
  ...(prefers_border === null ? {} : { prefersBorder: prefers_border }),
});

function readCursor(cursor: unknown): string {
  const last = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : '';
  if (!last.startsWith('ui://') || last.includes('\0'))
    throw new RpcError('invalid_params', 'Invalid cursor', { status: 200, reason: 'invalid_cursor' });
  return last;
}

/** Clients must not cache it: a view of a tool that was disabled must be missing from the next one. */
function resultText(project: Project, { protocol }: MethodCall, result: object): string {
  if (protocol === 'legacy') return JSON.stringify(result);
  const { meta_entry } = serverInfoOf(project);
  const text = JSON.stringify({ resultType: 'complete', ...result, ttlMs: 0, cacheScope: 'private' });
  return `${text.slice(0, -1)},"_meta":{${meta_entry}}}`;
}
