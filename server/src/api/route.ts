// The types that every route uses: the server, and who may call the route.

import type { Access } from '@toolgate/contract/route.ts';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { FastifyZodOpenApiTypeProvider } from 'fastify-zod-openapi';
import type { Caller, TokenCaller } from '../access/caller.ts';
import type { JsonLimits } from '../engines/json-text/parse-strict.ts';
import type { RouteKind } from '../metrics/request-metrics.ts';
import type { RequestSpan } from '../tracing/tracing.ts';

export type Server = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  FastifyZodOpenApiTypeProvider
>;

/** For routes whose requests have a caller. */
export type CallerAccess = Exclude<Access, 'metrics'>;

/** An ApiError, or an error of the MCP protocol, which has no code. */
export type SentRefusal = {
  code: string | null;
  reason: string;
  remedy: string;
  /** The tool call that it ended, if the call log has that call. */
  call_id?: string;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route that declares none stops the server from starting. */
    access?: Access;
    /** In production projects it needs the permission `admin`. */
    admin_in_production?: boolean;
    /** The owners of the first organization may call it for projects of other organizations too. */
    operators_of_all?: boolean;
    /** A page of OAuth with which a sign-in begins; the others belong to one that has begun. */
    begins_sign_in?: boolean;
    /** How its requests are counted; `api` if nothing is given. */
    kind?: RouteKind;
    /** The limits of a JSON body, if they differ from the default. */
    json_limits?: JsonLimits;
    /** An upload: its body may take longer than others (http/slow-bodies.ts). */
    has_slow_body?: boolean;
    /** False when the route takes permits itself (database/permits.ts), or does not use the database for a project's callers. */
    database_permit?: boolean;
  }
  interface FastifyInstance {
    /** The process is stopping: it is not ready, and every response closes its connection. */
    is_stopping: boolean;
    /** It is stopping because another worker on the same port takes over: the service stays ready. */
    is_replaced: boolean;
    /** People and clients reach it by HTTPS. */
    is_https: boolean;
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
