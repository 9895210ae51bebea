// Builds the request of a call from tool, arguments and caller. No I/O: what is signed is what is sent.

import { memberOf, type ToolCaller } from '../../access/caller.ts';
import { type ApiError, refuse } from '../../errors.ts';
import { continueTrace } from '../../tracing/traceparent.ts';
import { type Arguments, queryOf } from './arguments.ts';
import { expandHeaders, type HeaderTemplate, namesIn } from './header-template.ts';
import { expand, MAX_TARGET, type PathTemplate } from './path-template.ts';
import { encodeMemberId } from './signature.ts';
import type { Definition } from './tool.ts';
import type { ToolCall } from './tool-call.ts';

/** The part of a tool that determines its requests; the same for every call. */
export type RequestShape = Pick<Definition, 'method' | 'context_in'> & {
  template: PathTemplate;
  /** Of headers that take arguments. */
  header_templates: readonly HeaderTemplate[];
};

export type BuiltRequest = {
  call_id: string;
  path: string;
  /** Without the `?`. */
  query: string;
  /** Without the fixed headers of the tool. */
  headers: Record<string, string>;
  body: string | null;
};

/** The reserved variables, which only the service sets. */
export type Context = { project_id: string; integration_id?: string; member_id?: string };

export function contextOf(caller: ToolCaller): Context {
  const context: Context = { project_id: caller.project.id };
  if (caller.integration_id !== null) context.integration_id = caller.integration_id;
  const member = memberOf(caller);
  if (member) context.member_id = member.external_id;
  return context;
}

/** The fields of a call that are sent in headers. */
type CallHeaders = Pick<ToolCall, 'traceparent' | 'idempotency_key'>;

export function buildRequest(
  shape: RequestShape,
  given: Arguments,
  caller: ToolCaller,
  call: CallHeaders,
  call_id: string,
): BuiltRequest {
  const { template, header_templates, method, context_in } = shape;
  const context = contextOf(caller);
  const hasPlaceholders = template.names.length > 0;
  const target = expand(template, hasPlaceholders ? { ...given, ...context } : given);
  if ('problem' in target) throw invalidArgument(target.problem);

  const headers = callHeaders(call, call_id);
  if (caller.kind === 'test') headers['x-toolgate-test'] = 'true';
  let sent = hasPlaceholders ? without(given, template.names) : given;
  if (header_templates.length > 0) {
    addHeaders(headers, header_templates, given);
    sent = without(sent, header_templates.flatMap(namesIn));
  }
  if (context_in === 'headers') addContext(headers, context);
  else sent = { ...sent, ...context };

  const { path, query } = target;
  if (method === 'GET' || method === 'DELETE') {
    const max_length = MAX_TARGET - path.length - query.length - '?&'.length;
    return { call_id, path, query: join(query, queryOf(sent, max_length)), headers, body: null };
  }
  return { call_id, path, query, headers, body: JSON.stringify(sent) };
}

function callHeaders({ traceparent, idempotency_key }: CallHeaders, call_id: string): Record<string, string> {
  const headers: Record<string, string> = { 'x-toolgate-request-id': call_id };
  const trace = traceparent === undefined ? null : continueTrace(traceparent);
  if (trace !== null) headers.traceparent = trace;
  if (idempotency_key !== undefined) headers['idempotency-key'] = idempotency_key;
  return headers;
}

function addHeaders(headers: Record<string, string>, templates: readonly HeaderTemplate[], given: Arguments): void {
  const expanded = expandHeaders(templates, given);
  if ('problem' in expanded) throw invalidArgument(expanded.problem);
  Object.assign(headers, expanded.headers);
}

function without(given: Arguments, names: readonly string[]): Arguments {
  const rest = { ...given };
  for (const name of names) delete rest[name];
  return rest;
}

const join = (one: string, two: string) => (one === '' || two === '' ? one + two : `${one}&${two}`);

export function addContext(headers: Record<string, string>, { project_id, integration_id, member_id }: Context): void {
  headers['x-toolgate-project-id'] = project_id;
  if (integration_id !== undefined) headers['x-toolgate-integration-id'] = integration_id;
  if (member_id !== undefined) headers['x-toolgate-member-id'] = encodeMemberId(member_id);
}

function invalidArgument(problem: { field: string; message: string }): ApiError {
  return refuse.validation({ details: { field: problem.field, reason: 'invalid_arguments', problems: [problem] } });
}
