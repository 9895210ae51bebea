// The route schemas as one OpenAPI 3.1 document.

import swagger from '@fastify/swagger';
import { fastifyZodOpenApiPlugin, fastifyZodOpenApiTransformers } from 'fastify-zod-openapi';
import { publicAnswers } from '../api/answers.ts';
import type { Server } from '../api/route.ts';

const description = `Give your own HTTPS APIs to AI models as tools, safely.

Every request carries \`Authorization: Bearer <key>\`. Errors are one envelope; every answer has an \`X-Request-Id\`.`;

const tags = [
  { name: 'Projects', description: 'A project holds keys, tools, members and settings' },
  { name: 'API keys', description: 'Credentials of a project' },
  { name: 'Operations', description: 'Health and this document' },
];

export async function describeRoutes(server: Server, version: string): Promise<void> {
  await server.register(fastifyZodOpenApiPlugin);
  await server.register(swagger as never, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'toolgate', version, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
      servers: [{ url: '/' }],
      tags,
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
      security: [{ bearer: [] }],
    },
    ...fastifyZodOpenApiTransformers,
  });
}

export function openapiRoutes(server: Server): void {
  let document: string | undefined;
  server.get(
    '/api/v1/openapi.json',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'getOpenApiDocument',
        summary: 'This API as an OpenAPI 3.1 document',
        tags: ['Operations'],
        security: [],
        response: publicAnswers({
          200: { description: 'The document', content: { 'application/json': { schema: { type: 'object' } } } },
        }),
      },
    },
    async (_request, reply) => {
      document ??= JSON.stringify((server as unknown as { swagger(): object }).swagger());
      return reply.type('application/json').send(document);
    },
  );
}
