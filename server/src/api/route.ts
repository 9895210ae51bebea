// The words every route is written with: the server's type, and who may call it.

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
 * - `caller`: whoever may call tools: any active API key or a member session, never the root key;
 * - `public`: everybody.
 */
export type Access = Permission | 'api_key' | 'caller' | 'public';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** How deep and how large a JSON body may be, where that is more than usual. */
    json_limits?: JsonLimits;
    /** False: the route takes permits itself (database/permits.ts), or needs no database for a project's own callers. */
    database_permit?: boolean;
  }
  interface FastifyInstance {
    /** The process was told to stop: it is not ready, and every answer closes its connection. */
    is_stopping: boolean;
  }
  interface FastifyRequest {
    /** Set on every route that is not public. */
    caller: Caller;
  }
}
