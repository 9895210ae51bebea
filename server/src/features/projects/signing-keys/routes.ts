// {issuer}/jwks.json and {issuer}/.well-known/openid-configuration, where the issuer is the URL of a project: the public keys for JWTs
// that the service signs for the project's API. Anybody may read them.

import { isId } from '@toolgate/contract/ids.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { publicResponses } from '../../../api/responses.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { clientNetwork } from '../../../limits/client-network.ts';
import { issuerOf } from './issuer.ts';
import { selectPublishedKeys } from './store.ts';

const tags = ['Projects'];
const config = { access: 'public' } as const;
const params = z.strictObject({ project_id: z.string().meta({ description: 'Id of the project' }) });
/** RFC 7517 and OpenID Connect Discovery define the members. */
const schema = { type: 'object', additionalProperties: true } as const;
const document = (description: string) => ({ 200: { description, content: { 'application/json': { schema } } } });

type KeySet = { keys: object[] };

export function signingKeyRoutes(server: Server, app: App): void {
  server.get(
    '/api/v1/projects/:project_id/jwks.json',
    {
      config,
      schema: {
        operationId: 'getProjectKeySet',
        summary: "Get a project's public keys (RFC 7517)",
        description:
          'Your API uses these keys to verify JWTs from tools with `member_jwt` and `token_exchange`. After a rotation, the old key stays here for a while. Empty until a tool needs a key.',
        tags,
        params,
        response: publicResponses(document('The keys'), 'notFound'),
      },
    },
    async (request, reply) => {
      cacheable(reply);
      return findKeySet(app, request);
    },
  );
  server.get(
    '/api/v1/projects/:project_id/.well-known/openid-configuration',
    {
      config,
      schema: {
        operationId: 'getProjectIssuer',
        summary: "Get a project's issuer metadata (OpenID Connect Discovery)",
        description: "For libraries that find an issuer's keys by themselves. Nobody can sign in here.",
        tags,
        params,
        response: publicResponses(document('The issuer, and where its keys are'), 'notFound'),
      },
    },
    async (request, reply) => {
      await findKeySet(app, request);
      cacheable(reply);
      const issuer = issuerOf(app, request.params.project_id);
      return {
        issuer,
        jwks_uri: `${issuer}/jwks.json`,
        response_types_supported: ['none'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['ES256'],
      };
    },
  );
}

const cacheable = (reply: FastifyReply) => reply.header('cache-control', 'public, max-age=300');

/** Cached until the project changes. A project that does not exist is not: anyone can name one. */
async function findKeySet(app: App, request: FastifyRequest): Promise<KeySet> {
  const { project_id } = request.params as { project_id: string };
  if (!isId('prj', project_id)) throw refuse.notFound();
  const cached = app.cache.get<KeySet>('signing_key_set', project_id);
  const set = cached ?? (await app.lookups.run(clientNetwork(request.ip), () => loadKeySet(app, project_id)));
  if (!set) throw refuse.notFound();
  return set;
}

async function loadKeySet(app: App, project_id: string): Promise<KeySet | null> {
  return app.cache.getOrLoad<KeySet>('signing_key_set', project_id, async () => {
    const keys = await selectPublishedKeys(app.database, project_id, new Date(app.now()).toISOString());
    if (!keys) return null;
    const value = { keys: keys.map(({ id, public_jwk }) => ({ ...public_jwk, kid: id, use: 'sig', alg: 'ES256' })) };
    return { project_id, value };
  });
}
