// /.well-known: where OAuth clients find the authorization server, and which server protects an MCP endpoint.

import { isId } from '@toolgate/contract/ids.ts';
import { TOOLSET_SLUG } from '@toolgate/contract/toolsets/rules.ts';
import { z } from 'zod';
import { publicResponses } from '../../../api/responses.ts';
import type { Server } from '../../../api/route.ts';
import { staticText } from '../../../api/static-file.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { clientNetwork } from '../../../limits/client-network.ts';
import { findBaselineScopes } from '../../policies/toolsets/slugs.ts';
import { callbackUrl } from '../providers/provider.ts';
import { clientMetadataUrl } from '../providers/server-provider.ts';
import { resourceMetadata, serverMetadata } from './metadata.ts';
import { mcpPaths } from './resource.ts';

const tags = ['OAuth'];
const config = { access: 'public' } as const;
/** The RFC defines the members. Without additionalProperties a generated client would allow none. */
const schema = { type: 'object', additionalProperties: true } as const;
const document = (description: string) => ({ 200: { description, content: { 'application/json': { schema } } } });
const unchanged = { 304: { description: 'The client already has this document; no body' } };

/** They change with the settings, at a restart. */
const documentText = (document: object) => ({
  text: JSON.stringify(document),
  content_type: 'application/json; charset=utf-8',
  cache_control: 'public, max-age=300',
});

/** toolgate as a client of the authorization servers of MCP servers (OAuth Client ID Metadata Document). */
function clientMetadataRoute(server: Server, app: App): void {
  server.get<{ Params: { provider_id: string } }>(
    '/api/v1/oauth/client-metadata/:provider_id',
    { config, schema: { hide: true } },
    async ({ params: { provider_id } }, reply) => {
      if (!isId('oap', provider_id)) throw refuse.notFound();
      const { public_url } = app.config;
      return reply.header('cache-control', 'public, max-age=300').send({
        client_id: clientMetadataUrl(public_url, provider_id),
        client_name: 'toolgate',
        client_uri: public_url,
        redirect_uris: [callbackUrl(public_url, provider_id)],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        application_type: 'web',
      });
    },
  );
}

export function metadataRoutes(server: Server, app: App): void {
  clientMetadataRoute(server, app);
  server.get(
    '/.well-known/oauth-authorization-server',
    {
      config,
      schema: {
        operationId: 'getAuthorizationServerMetadata',
        summary: 'Get the authorization server metadata (RFC 8414)',
        description: 'OAuth clients read here which endpoints exist and what they support.',
        tags,
        response: publicResponses({ ...document('The endpoints, and what they support'), ...unchanged }),
      },
    },
    staticText(() => documentText(serverMetadata(app.config))),
  );
  for (const path of mcpPaths) {
    const isMain = path === mcpPaths[0];
    server.get(
      `/.well-known/oauth-protected-resource${path}`,
      {
        config,
        schema: isMain
          ? {
              operationId: 'getResourceMetadata',
              summary: "Get the MCP endpoint's protected resource metadata (RFC 9728)",
              description:
                'Identifies the authorization server for the MCP endpoint of all projects. A client needs a client id of the project.',
              tags,
              response: publicResponses({ ...document('Where to get a token'), ...unchanged }),
            }
          : { hide: true },
      },
      staticText(() => documentText(resourceMetadata(app.config.public_url, path))),
    );
    server.get(
      `/.well-known/oauth-protected-resource${path}/:project_id`,
      {
        config,
        schema: isMain
          ? {
              operationId: 'getProjectResourceMetadata',
              summary: "Get a project's protected resource metadata (RFC 9728)",
              description:
                "MCP clients that know only the endpoint's URL find out here where to sign in, and for which scopes: `mcp` and those of the baseline toolsets. Every project id gets a response.",
              tags,
              params: z.strictObject({ project_id: z.string().meta({ description: 'Id of the project' }) }),
              response: publicResponses(document('Where to get a token'), 'notFound'),
            }
          : { hide: true },
      },
      async (request) => {
        const { project_id } = request.params as { project_id: string };
        if (!isId('prj', project_id)) throw refuse.notFound();
        const scopes = await findBaselineScopes(app, project_id, clientNetwork(request.ip));
        return resourceMetadata(app.config.public_url, `${path}/${project_id}`, scopes);
      },
    );
    for (const address of [path, `${path}/:project_id`])
      server.get(
        `/.well-known/oauth-protected-resource${address}/toolsets/:slug`,
        { config, schema: { hide: true } },
        async (request) => {
          const { project_id, slug } = request.params as { project_id?: string; slug: string };
          if ((project_id !== undefined && !isId('prj', project_id)) || !TOOLSET_SLUG.test(slug))
            throw refuse.notFound();
          const endpoint = project_id === undefined ? path : `${path}/${project_id}`;
          const scopes =
            project_id === undefined ? [] : await findBaselineScopes(app, project_id, clientNetwork(request.ip));
          return resourceMetadata(app.config.public_url, `${endpoint}/toolsets/${slug}`, scopes);
        },
      );
  }
}
