// Builds the request of a call from tool, arguments and caller. No I/O: what is signed is what is sent.

import type { CustomToolDefinition } from '@toolgate/contract/custom-tools/custom-tool.ts';
import { isSameField } from '@toolgate/contract/custom-tools/field-names.ts';
import { type HeaderTemplate, namesIn } from '@toolgate/contract/custom-tools/header-template.ts';
import type { PathTemplate } from '@toolgate/contract/custom-tools/path-template.ts';
import { isReserved } from '@toolgate/contract/custom-tools/reserved-variables.ts';
import { memberOf, type ToolCaller } from '../../../../access/caller.ts';
import type { Problem } from '../../../../engines/json-schema/problem.ts';
import { continueTrace } from '../../../../tracing/traceparent.ts';
import { expandHeaders } from '../../expansion/expand-headers.ts';
import { expand, MAX_TARGET } from '../../expansion/expand-path.ts';
import { expandQuery, joinQueries } from '../../expansion/expand-query.ts';
import type { EncodeBody } from '../../expansion/prepare-body.ts';
import { type BodyParts, NO_FILES, type SentFiles } from '../../expansion/sent-file.ts';
import { bound } from '../argument-problems.ts';
import { type Arguments, invalidArguments } from '../arguments.ts';
import type { ToolCall } from '../tool-call.ts';
import { encodeMemberId } from './signature.ts';

/** The part of a tool that determines its requests; the same for every call. */
export type RequestShape = Pick<CustomToolDefinition, 'method' | 'context_in'> & {
  template: PathTemplate;
  /** For headers that take arguments. */
  header_templates: readonly HeaderTemplate[];
  /** The query parameter of api_key_query, which no argument can be. */
  key_parameter: string | null;
  encodeBody: EncodeBody;
  /** Files are sent as their bytes; elsewhere they are base64. */
  sends_files: boolean;
};

export type BuiltRequest = {
  call_id: string;
  path: string;
  /** Without the `?`. */
  query: string;
  /** Without the fixed headers of the tool. */
  headers: Record<string, string>;
  /** Parts if there are files in it. */
  body: string | BodyParts | null;
  /** Of a body with files, if it is signed. */
  body_sha256?: string;
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
  files: SentFiles = NO_FILES,
): BuiltRequest {
  const context = contextOf(caller);
  const problems: Problem[] = [];
  const { path, query, given_headers, body, content_type } = expandRequest(shape, given, context, problems, files);
  if (problems.length > 0) throw invalidArguments(bound(problems));

  const headers = callHeaders(call, call_id);
  if (caller.kind === 'test') headers['x-toolgate-test'] = 'true';
  if (content_type !== null) headers['content-type'] = content_type;
  Object.assign(headers, given_headers);
  if (shape.context_in === 'headers') addContext(headers, context);
  return { call_id, path, query, headers, body };
}

/** What a request cannot be built with. The reserved variables are not part of the arguments: their values are not known here. */
export function findRequestProblems(shape: RequestShape, given: Arguments): Problem[] {
  const problems: Problem[] = [];
  expandRequest(shape, given, {}, problems);
  return problems.filter(({ field }) => !isReserved(field));
}

/** The arguments in the parts of the request. */
function expandRequest(
  shape: RequestShape,
  given: Arguments,
  context: Partial<Context>,
  problems: Problem[],
  files: SentFiles = NO_FILES,
) {
  const { template, header_templates, context_in, key_parameter } = shape;
  if (key_parameter !== null) refuseKeyArgument(key_parameter, given, problems);
  const hasPlaceholders = template.names.length > 0;
  const { path, query } = expand(template, hasPlaceholders ? { ...given, ...context } : given, problems);
  let rest = hasPlaceholders ? without(given, template.names) : given;
  let given_headers: Record<string, string> | undefined;
  if (header_templates.length > 0) {
    given_headers = expandHeaders(header_templates, given, problems);
    rest = without(rest, header_templates.flatMap(namesIn));
  }
  // Last, so that whoever reads the last of two fields reads what the service has set.
  if (context_in !== 'headers') rest = { ...rest, ...context };
  const { in_query, body, content_type } = shape.encodeBody(rest, problems, files);
  if (in_query === null) return { path, query, given_headers, body, content_type };
  // The length of a path with problems says nothing.
  const used = problems.length > 0 ? 0 : path.length + query.length + '?&'.length;
  const joined = joinQueries(query, expandQuery(in_query, MAX_TARGET - used, problems));
  return { path, query: joined, given_headers, body, content_type };
}

function refuseKeyArgument(key_parameter: string, given: Arguments, problems: Problem[]): void {
  for (const field of Object.keys(given))
    if (isSameField(field, key_parameter))
      problems.push({ field, message: 'is set by toolgate: it authenticates the call' });
}

function callHeaders({ traceparent, idempotency_key }: CallHeaders, call_id: string): Record<string, string> {
  const headers: Record<string, string> = { 'x-toolgate-request-id': call_id };
  const trace = traceparent === undefined ? null : continueTrace(traceparent);
  if (trace !== null) headers.traceparent = trace;
  if (idempotency_key !== undefined) headers['idempotency-key'] = idempotency_key;
  return headers;
}

function without(given: Arguments, names: readonly string[]): Arguments {
  const rest = { ...given };
  for (const name of names) delete rest[name];
  return rest;
}

export function addContext(headers: Record<string, string>, { project_id, integration_id, member_id }: Context): void {
  headers['x-toolgate-project-id'] = project_id;
  if (integration_id !== undefined) headers['x-toolgate-integration-id'] = integration_id;
  if (member_id !== undefined) headers['x-toolgate-member-id'] = encodeMemberId(member_id);
}
