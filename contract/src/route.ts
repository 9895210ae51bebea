// How a route of the API is described: as data, without knowing who serves or calls it. The server implements it
// (server/src/api/implement.ts); the OpenAPI document, the reference, the SDK's types and the command line are made from it.

import type { z } from 'zod';
import type { RefusalName } from './errors.ts';
import type { parameters } from './parameters.ts';
import type { Permission } from './permissions.ts';

/**
 * Who may call a route:
 * - a permission: an API key that has it, a person whose role has it, or the root key;
 * - `api_key`: any active API key, any person who signed in, or the root key;
 * - `caller`: everyone who may call tools: any active API key or a member session, never the root key or a person;
 * - `account`: a person who signed in, with any role;
 * - `manage_keys`: `admin`, or a person with `write` in a development project, for keys with permissions they hold (contract 12);
 * - `account_admin`: a person whose role has the permission `admin`;
 * - `account_owner`: a person whose role is `owner`;
 * - `tool`: the same as `caller`, and a person whose role has `write`, who tries a tool;
 * - `decide`: as `api_key`, but a member session is refused with 403; the operation says who decides about what;
 * - `metrics`: TOOLGATE_METRICS_TOKEN or the root key; the request belongs to no project;
 * - `public`: everyone, without a credential.
 */
export type Access =
  | Permission
  | 'api_key'
  | 'caller'
  | 'tool'
  | 'decide'
  | 'manage_keys'
  | 'account'
  | 'account_admin'
  | 'account_owner'
  | 'metrics'
  | 'public';

/** A successful response that is not one JSON value: a stream, or a choice of media types. */
export type OwnResponse = { description: string; headers?: object; content?: Record<string, { schema: unknown }> };

export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below /api/v1. Its parameters are described in parameters.ts. */
  path: `/${string}`;
  access: Access;
  /** In production projects it needs the permission `admin` besides. */
  admin_in_production?: true;
  /** The chapter of the reference. */
  tag: string;
  summary: string;
  /** What it does, what else changes with it, and what can go wrong. Who may call it is added from `access`. */
  description: string;
  query?: z.ZodType;
  /** Headers of its own. */
  headers?: z.ZodObject;
  body?: z.ZodType;
  /** The media types of the body, if it may be something else than JSON. */
  consumes?: readonly string[];
  /** The body of a successful response; null: none, with status 204. */
  response: z.ZodType | OwnResponse | null;
  /** 200 if there is a response. */
  status?: 200 | 201 | 202;
  /** The body with status 202, if the response may come later. */
  accepted?: z.ZodType;
  /** The status of the same response where nothing was changed, if it differs. */
  status_if_unchanged?: 200;
  /** Its refusals, besides those that follow from its access, method, query and body. */
  errors?: readonly RefusalName[];
  /** A retry with the same Idempotency-Key gets the first response again. */
  takes_idempotency_key?: true;
};

export type Routes = Record<string, Route>;

/** The keys are the operation ids: the names of the operations in the OpenAPI document. */
export function defineRoutes<const R extends Routes>(
  routes: { [Id in keyof R]: R[Id] & KnownParameters<R[Id]['path']> },
): R {
  return routes;
}

type ParameterOf<Path extends string> = Path extends `${infer Before}/${infer After}`
  ? ParameterOf<Before> | ParameterOf<After>
  : Path extends `:${infer Name}`
    ? Name
    : never;

/** Does not compile if a parameter of the path is not described. */
type KnownParameters<Path extends string> =
  Exclude<ParameterOf<Path>, keyof typeof parameters> extends never ? unknown : { path: never };

type ParameterValue<Name extends string> = Name extends keyof typeof parameters
  ? (typeof parameters)[Name] extends { schema: infer Schema extends z.ZodType }
    ? z.output<Schema>
    : string
  : never;

type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

export type ParamsOf<R extends Route> = { [Name in ParameterOf<R['path']>]: ParameterValue<Name> };
export type HeadersOf<R extends Route> = OutputOf<R['headers']>;
export type QueryOf<R extends Route> = OutputOf<R['query']>;
export type BodyOf<R extends Route> = OutputOf<R['body']>;
/** What a client sends: the body, if it has fields, or the filters of a list. A field with a default may be left out. */
export type RequestOf<R extends Route> = R['body'] extends z.ZodUnknown
  ? FiltersOf<R>
  : R['body'] extends z.ZodType
    ? NonNullable<z.input<R['body']>>
    : FiltersOf<R>;
type FiltersOf<R extends Route> = R['query'] extends z.ZodType ? Partial<z.output<R['query']>> : object;
/** What the handler returns; what it returns for a response without a body is ignored. */
export type ResponseOf<R extends Route> = R['response'] extends z.ZodType ? z.output<R['response']> : unknown;
