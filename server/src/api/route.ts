// The types that every route uses: the server, and who may call the route.

import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { FastifyZodOpenApiTypeProvider } from 'fastify-zod-openapi';
import type { Caller, TokenCaller } from '../access/caller.ts';
import type { Permission } from '../access/permissions.ts';
import type { JsonLimits } from '../json/parse-strict.ts';
import type { RequestSpan } from '../tracing/tracing.ts';
import type { Deprecation } from './deprecation.ts';

export type Server = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  FastifyZodOpenApiTypeProvider
>;

/**
 * Who may call a route; one that declares none stops the server from starting.
 * - a permission: an API key that has it, a person whose role has it, or the root key;
 * - `api_key`: any active API key, any person who signed in, or the root key;
 * - `caller`: everyone who may call tools: any active API key or a member session, never the root key or a person;
 * - `account`: a person who signed in, with any role;
 * - `account_admin`: a person whose role has the permission `admin`;
 * - `tool`: the same as `caller`, and a person whose role has `write`, who tries a tool;
 * - `metrics`: TOOLGATE_METRICS_TOKEN or the root key; the request belongs to no project;
 * - `public`: everyone, without a credential.
 */
export type Access = Permission | 'api_key' | 'caller' | 'tool' | 'account' | 'account_admin' | 'metrics' | 'public';

/** Of routes whose requests have a caller. */
export type CallerAccess = Exclude<Access, 'metrics'>;

/** An ApiError, or an error of the MCP protocol, which has no code. */
export type SentRefusal = { code: string | null; reason: string; remedy: string; call_id: string | null };

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** The owners of the first organization may call it for projects of other organizations too. */
    operators_of_all?: boolean;
    /** The limits of a JSON body, if they differ from the default. */
    json_limits?: JsonLimits;
    /** False when the route takes permits itself (database/permits.ts), or does not use the database for a project's callers. */
    database_permit?: boolean;
    /** Announced in every response and in the API document. See docs/guides/versioning.md. */
    deprecated?: Deprecation;
  }
  interface FastifyInstance {
    /** The process is stopping: it is not ready, and every response closes its connection. */
    is_stopping: boolean;
    /** It is stopping because another worker on the same port takes over: the service stays ready. */
    is_replaced: boolean;
  }
  interface FastifyRequest {
    /** Set on every route that is not public. */
    caller: Caller;
    /** For a response that stays open: throws the refusal if the credential has ended or lost its permission. */
    reauthorize(): Promise<void>;
    /** Why the request was refused, for the log and the trace. */
    refusal: SentRefusal | null;
    /** Whose credential was found and refused, for the trace. */
    refused_caller: TokenCaller | null;
    /** Null unless spans are exported. */
    span: RequestSpan | null;
  }
}
