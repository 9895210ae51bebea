// The types that every route uses: the server, and who may call the route.

import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { FastifyZodOpenApiTypeProvider } from 'fastify-zod-openapi';
import type { Caller } from '../access/caller.ts';
import type { Permission } from '../access/permissions.ts';
import type { JsonLimits } from '../json/parse-strict.ts';

export type Server = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  FastifyZodOpenApiTypeProvider
>;

/**
 * Who may call a route; one that declares none stops the server from starting.
 * - a permission: an API key that has it, or the root key;
 * - `api_key`: any active API key, or the root key;
 * - `caller`: everyone who may call tools: any active API key or a member session, never the root key;
 * - `public`: everyone, without a credential.
 */
export type Access = Permission | 'api_key' | 'caller' | 'public';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** The limits of a JSON body, if they differ from the default. */
    json_limits?: JsonLimits;
    /** False when the route takes permits itself (database/permits.ts), or does not use the database for a project's callers. */
    database_permit?: boolean;
  }
  interface FastifyInstance {
    /** The process is stopping: it is not ready, and every response closes its connection. */
    is_stopping: boolean;
  }
  interface FastifyRequest {
    /** Set on every route that is not public. */
    caller: Caller;
    /** For a response that stays open: throws the refusal if the credential has ended or lost its permission. */
    reauthorize(): Promise<void>;
  }
}
