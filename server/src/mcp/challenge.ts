// WWW-Authenticate of the MCP endpoint: where a client without a valid token gets one, and what it has to ask for.

import type { FastifyRequest } from 'fastify';
import { scopeChallenge, tokenChallenge } from '../api/challenge.ts';
import type { App } from '../app.ts';
import { findBaselineScopes } from '../features/policies/toolsets/slugs.ts';
import { clientNetwork } from '../limits/client-network.ts';

const ENDPOINT = /^(?:\/api\/v1)?\/mcp(?:\/(?<project_id>prj_[0-9A-Za-z]{22}))?(?:\/toolsets\/[a-z][a-z0-9-]{0,39})?$/;

/** Only paths that are plain text in a quoted string. */
function endpointOf({ url }: { url: string }): { path: string; project_id?: string | undefined } {
  const [path = ''] = url.split('?');
  const found = ENDPOINT.exec(path);
  return found ? { path, project_id: found.groups?.project_id } : { path: '/api/v1/mcp' };
}

/** For 401. A URL that names its project knows what clients have to ask for. */
export async function unauthorizedChallenge(app: App, request: Pick<FastifyRequest, 'url' | 'ip'>): Promise<string> {
  const { path, project_id } = endpointOf(request);
  if (project_id === undefined) return tokenChallenge(app.config.public_url, path, []);
  const baseline = await findBaselineScopes(app, project_id, clientNetwork(request.ip)).catch(() => []);
  return tokenChallenge(app.config.public_url, path, ['mcp', ...baseline]);
}

/** For 403: a token without a scope that the request needs. */
export const forbiddenChallenge = ({ config }: App, request: Pick<FastifyRequest, 'url'>, scope: string) =>
  scopeChallenge(config.public_url, endpointOf(request).path, scope);
