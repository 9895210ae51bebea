// Reads the list of tools of an MCP server: with the credential of the server, never with that of a caller.

import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { type ListedTools, listUpstreamTools } from '../../../mcp-client/client.ts';
import { accessToken } from '../calls/client-credentials.ts';
import { prepareCredential } from '../calls/credential.ts';
import { credentialOwner } from '../calls/mcp-credential.ts';
import { createTransport, reachedServer } from '../calls/mcp-transport.ts';
import type { ServerRow } from './mcp-server.ts';

/** For all pages together. */
const TIMEOUT_MS = 55_000;
const MAX_PAGE_BYTES = 8 * 2 ** 20;

/** Parsing a page within these takes less than 200 ms. */
const limits = {
  max_tools: 10_000,
  max_bytes: 32 * 2 ** 20,
  max_pages: 200,
  message: { max_depth: 100, max_members: 200_000, max_values: 500_000 },
};

/** Rejects with a SendError, an McpProblem, an ApiError or SecretUnreadable. */
export async function readTools(app: App, project: Project, row: ServerRow): Promise<ListedTools> {
  const credential = await app.permits.run(project, () => prepareCredential(app, credentialOwner(row)));
  if (credential.kind === 'unreadable') throw credential.cause;
  const deadline = performance.now() + TIMEOUT_MS;
  // Before the request is queued: one that held a slot while it waited for another could deadlock.
  const token =
    credential.kind === 'token'
      ? await accessToken(app, credential.source, { project, recheck: async () => {} })
      : null;
  const transport = createTransport(app, reachedServer(row, credential), {
    project,
    max_response_bytes: MAX_PAGE_BYTES,
    remaining: () => Math.max(1, deadline - performance.now()),
    addCredential(headers) {
      if (token) headers.authorization = `Bearer ${token.text}`;
    },
  });
  return listUpstreamTools(transport, row.revision, limits);
}
