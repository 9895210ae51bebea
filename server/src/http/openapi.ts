// The route schemas as one OpenAPI 3.1 document. A route that is not described stops the server from starting.

import swagger, { type SwaggerTransform } from '@fastify/swagger';
import { resources } from '@toolgate/contract/resources.ts';
import type { Access } from '@toolgate/contract/route.ts';
import {
  fastifyZodOpenApiPlugin,
  fastifyZodOpenApiTransform,
  fastifyZodOpenApiTransformObject,
} from 'fastify-zod-openapi';
import { completeResponses, publicResponses } from '../api/responses.ts';
import type { Server } from '../api/route.ts';
import { staticText } from '../api/static-file.ts';
import { describeProperties } from './openapi-descriptions.ts';
import { completeDocument } from './openapi-details.ts';
import { addWebhooks } from './openapi-webhooks.ts';

const description = `Let AI models call your own HTTPS APIs as tools, safely.

Every request carries \`Authorization: Bearer <key>\`: a project's API key, or the operator's root key. Dashboard pages
use the cookie of the signed-in person instead, and choose the project with \`X-Project-Id\`, like the root key. All errors have the same envelope, and every response has an \`X-Request-Id\`. The \`RateLimit\` headers show how many
requests an API key has left in this hour. Lists are newest first; send \`next_cursor\` as \`cursor\` to get the next page.`;

const bearer = {
  type: 'http',
  scheme: 'bearer',
  description: 'An API key (`svc_live_…`, `svc_test_…`), a member session token (`svc_mst_…`) or the root key',
} as const;

/** Over plain HTTP, in development, the name has no prefix. */
const session = {
  type: 'apiKey',
  in: 'cookie',
  name: '__Host-toolgate_session',
  description:
    'The session of a signed-in person, for pages of this server: requests that change something must have its `Origin`. Ignored if `Authorization` is set',
} as const;

/** Of the routes that are no resource of the contract. */
const ownTags = [
  { name: 'OAuth', description: 'Sign in with a provider, and connect MCP clients without a key' },
  { name: 'MCP', description: 'The endpoint for models: list and call tools' },
  { name: 'Operations', description: 'Health and this document' },
];

const tags = [
  ...resources.flatMap(({ chapters }) =>
    Object.entries(chapters).map(([name, description]) => ({ name, description })),
  ),
  ...ownTags,
];

export async function describeRoutes(server: Server, version: string): Promise<void> {
  server.addHook('onRoute', (route) => {
    const { method, url, schema } = route;
    if (!schema?.hide && !schema?.operationId)
      throw new Error(
        `${method} ${url} is not described: schema: { operationId, summary, description, tags, response }`,
      );
    // A copy, because the plugin modifies the schema, and a process may build several servers.
    route.schema = { ...schema };
  });
  await server.register(fastifyZodOpenApiPlugin);
  await server.register(swagger as never, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'toolgate', version, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
      servers: [{ url: '/' }],
      tags,
      components: { securitySchemes: { bearer, session } },
      security: [{ bearer: [] }, { session: [] }],
    },
    transform: describeRoute,
    transformObject: (given: Parameters<typeof fastifyZodOpenApiTransformObject>[0]) =>
      describeProperties(addWebhooks(completeDocument(fastifyZodOpenApiTransformObject(given) as never))),
  });
}

/** Adds who may call the route, and the refusals that follow from its method and path. */
const describeRoute: SwaggerTransform = ({ schema, url, route, ...more }) => {
  if (!schema || schema.hide) return { schema, url };
  const { access = 'admin', admin_in_production } = route.config ?? {};
  const described = {
    ...schema,
    response: completeResponses(schema.response as never, String(route.method), url),
    ...securityOf(access),
    description: [
      schema.description,
      access === 'public' ? null : whoMayCall(access) + (admin_in_production ? IN_PRODUCTION : ''),
    ]
      .filter(Boolean)
      .join('\n\n'),
  };
  return fastifyZodOpenApiTransform({ ...more, schema: described, url, route } as never);
};

/** What differs from the default, a token or a session. */
function securityOf(access: Access): { security?: Record<string, string[]>[] } {
  switch (access) {
    case 'public':
      return { security: [] };
    case 'account':
    case 'account_admin':
    case 'account_owner':
      return { security: [{ session: [] }] };
    case 'caller':
    case 'metrics':
      return { security: [{ bearer: [] }] };
    default:
      return {};
  }
}

const IN_PRODUCTION = ' In production projects, the permission `admin` is required.';

function whoMayCall(access: Exclude<Access, 'public'>): string {
  switch (access) {
    case 'api_key':
      return 'For any active API key, for people who are signed in, and for the root key.';
    case 'decide':
      return 'For any active API key, for people who are signed in, and for the root key. Member sessions are refused (403).';
    case 'account':
      return 'For people who are signed in, with the session cookie.';
    case 'manage_keys':
      return 'For API keys with the permission `admin`, for people whose role has it, and for the root key. In development projects, also for people with the role `developer`, as long as the key has no permission that they lack.';
    case 'account_admin':
      return 'For people whose role is `owner` or `admin`, with the session cookie.';
    case 'account_owner':
      return 'For people whose role is `owner`, with the session cookie.';
    case 'metrics':
      return 'For the `TOOLGATE_METRICS_TOKEN`, and for the root key.';
    case 'caller':
      return 'For any active API key and for member sessions.';
    case 'tool':
      return 'For any active API key, for member sessions, and for people whose role has the permission `write`.';
    default:
      return `For API keys with the permission \`${access}\`${access === 'admin' ? '' : ' or `admin`'}, for people whose role has it, and for the root key.`;
  }
}

/** Short: after an upgrade of the server it describes another version. */
const CACHE_CONTROL = 'public, max-age=300';

export function openapiRoutes(server: Server): void {
  const make = () => ({
    text: JSON.stringify((server as unknown as { swagger(): object }).swagger()),
    content_type: 'application/json; charset=utf-8',
    cache_control: CACHE_CONTROL,
  });
  server.get(
    '/api/v1/openapi.json',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'getOpenApiDocument',
        summary: 'Get this API as an OpenAPI 3.1 document',
        description:
          'This document, for client generators. It describes exactly the version of the server that responds. Compressed if the client accepts it; if `If-None-Match` has the `ETag` of an unchanged document, the response is 304.',
        tags: ['Operations'],
        response: publicResponses({
          200: {
            description: 'The document',
            content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
          },
          304: { description: 'The client already has this document; no body' },
        }),
      },
    },
    staticText(make),
  );
}
