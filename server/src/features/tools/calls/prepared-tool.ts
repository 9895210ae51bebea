// A tool that is ready to be called: schemas and path template compiled, secret opened, so that a call does none of it.

import type { ToolConfirm } from '@toolgate/contract/approvals/confirm.ts';
import { bodyDefaults } from '@toolgate/contract/custom-tools/body-fields.ts';
import type { CustomToolDefinition } from '@toolgate/contract/custom-tools/custom-tool.ts';
import { listedAnnotations } from '@toolgate/contract/custom-tools/hints.ts';
import { compileTemplate } from '@toolgate/contract/custom-tools/path-template.ts';
import type { ToolPolling } from '@toolgate/contract/tasks/polling.ts';
import type { ToolsetsOfTool } from '../../../access/grant-layer.ts';
import type { App } from '../../../app.ts';
import { estimateSize } from '../../../cache/estimate-size.ts';
import type { CompiledValidator, ProblemLister } from '../../../engines/json-schema/instantiate.ts';
import type { Problem } from '../../../engines/json-schema/problem.ts';
import type { Validators } from '../../../engines/json-schema/validator.ts';
import { refuse } from '../../../errors/errors.ts';
import { version as server_version } from '../../../installation.ts';
import { headerLines } from '../../../outbound/header-lines.ts';
import type { Certificate, HeaderLines } from '../../../outbound/messages.ts';
import { keyParameterOf } from '../catalogue/auth-rules.ts';
import { fileArgumentsOfTool, withFileArguments } from '../catalogue/file-arguments.ts';
import { withoutArguments } from '../catalogue/fixed-arguments.ts';
import { isApproved } from '../catalogue/member-approval.ts';
import { listedOutputSchema } from '../catalogue/response-rules.ts';
import type { ToolToCall } from '../catalogue/store.ts';
import { annotationsOf, type ToolRow } from '../catalogue/tool.ts';
import { splitHeaders } from '../expansion/expand-headers.ts';
import { fixedContentType, prepareBody } from '../expansion/prepare-body.ts';
import { type HooksOfTool, prepareHooks } from '../hooks/prepared-hooks.ts';
import type { AppliedLimit } from '../limits/take.ts';
import type { Arguments } from './arguments.ts';
import { type Credential, prepareCredential } from './credentials/credential.ts';
import { findRequestProblems, type RequestShape } from './https/request.ts';
import { type McpTarget, prepareTarget } from './mcp/target.ts';
import { type Shaping, shapingOf } from './results/shape-body.ts';
import type { Schema, ToolResult } from './tool-call.ts';

export type PreparedTool = {
  id: string;
  name: string;
  version: number;
  definition_hash: string;
  /** For people. */
  title: string;
  is_enabled: boolean;
  require_member: boolean;
  /** It may send tokens of members, or JWTs about them, in production; true if it sends none. */
  is_approved: boolean;
  /** Whether its calls wait for a person; null: only those of destructive tools, if the project says so. */
  confirm: ToolConfirm | null;
  is_destructive: boolean;
  /** The toolsets that it is in. */
  toolsets: ToolsetsOfTool;
  /** As it is listed: without the fixed arguments. */
  weight: number;
  limits: readonly AppliedLimit[];
  /** That are asked about its calls. */
  hooks: HooksOfTool;
  input_schema: Schema;
  fixed_arguments: Arguments | null;
  /** That take a file, and those of them that have to be there. */
  file_arguments: readonly string[];
  required_files: readonly string[];
  /** What is left of its responses, also of those of failed calls; null: all. */
  shaping: Shaping | null;
  /** `bytes` is the size of its validator. */
  output: ToolResult['tool'] & { bytes: number };
  validate: CompiledValidator;
  /** Arguments may have the names of reserved variables. */
  takes_reserved: boolean;
  /** Compiled when it is first needed. */
  findLister(): Promise<ProblemLister>;
  findRequestProblems(given: Arguments): Problem[];
  shape: RequestShape;
  fixed_headers: HeaderLines;
  origin: string;
  /** As in the Host header. */
  host: string;
  timeout_ms: number;
  credential: Credential;
  /** What connections to its API are made with. */
  certificate: Certificate | null;
  /** How its jobs are followed; null: the first response is the result. */
  polling: PreparedPolling | null;
  /** For a tool of an MCP server; its origin, timeout, credential and certificate are those of the server. */
  mcp: McpTarget | null;
  /** An estimate of the memory of all of this. */
  bytes: number;
};

export async function prepareTool(app: App, row: ToolToCall, fairness_key: string): Promise<PreparedTool> {
  const { id, name, version, is_enabled, require_member, fixed_arguments, definition_hash } = row;
  const file_arguments = fileArgumentsOfTool(row);
  const input_schema = withFileArguments(row.input_schema, file_arguments);
  const { validators } = app;
  const fixed = new Set(Object.keys(fixed_arguments));
  const mcp = await prepareMcp(app, row, fairness_key);
  const { credential, certificate } = mcp ?? (await prepareCredential(app, row));
  const validate = await validators.validatorFor(`${definition_hash} input`, input_schema, fairness_key);
  const output = await prepareOutput(validators, row, fairness_key);
  const { shape, fixed_headers } = prepareRequest(row, credential);
  const { title, destructiveHint } = listedAnnotations(row);
  const tool = {
    id,
    name,
    version,
    definition_hash,
    title,
    confirm: row.confirm,
    is_destructive: destructiveHint,
    is_enabled,
    require_member,
    is_approved: isApproved(row.mcp ?? row),
    toolsets: new Map(Object.entries(row.toolsets ?? {})),
    input_schema: output.input_schema,
    fixed_arguments: fixed.size === 0 ? null : fixed_arguments,
    file_arguments,
    required_files: file_arguments.filter((name) => requiredOf(row.input_schema).includes(name)),
    weight: row.weight,
    limits: (row.limits ?? []).map(({ overrides, ...limit }) => ({ ...limit, overrides: overrideMap(overrides) })),
    hooks: await prepareHooks(app, row.project_id, row.hooks, () => annotationsOf(row)),
    shaping: row.response && shapingOf(definition_hash, row.response),
    output,
    validate,
    findLister: () => validators.listerFor(`${definition_hash} input`, input_schema, fairness_key),
    takes_reserved: mcp !== null,
    findRequestProblems: (given: Arguments) => (mcp ? [] : findRequestProblems(shape, given)),
    shape,
    fixed_headers,
    origin: mcp?.target.server.origin ?? row.base_url,
    host: new URL(mcp?.target.server.origin ?? row.base_url).host,
    timeout_ms: row.mcp?.timeout_ms ?? row.timeout_ms,
    credential,
    certificate,
    polling: mcp ? null : preparePolling(row, credential),
    mcp: mcp?.target ?? null,
  };
  return { ...tool, bytes: estimateSize(tool) + validate.bytes + output.bytes };
}

export type PreparedRequest = { shape: RequestShape; fixed_headers: HeaderLines };

/** `location`: for the headers of requests to a Location. */
export type PreparedPolling = {
  rule: ToolPolling;
  location: PreparedRequest;
  status: PreparedRequest | null;
  result: PreparedRequest | null;
  cancel: PreparedRequest | null;
};

/** With the headers of the call, and the arguments in them. */
function preparePolling(row: ToolToCall, credential: Credential): PreparedPolling | null {
  const { polling } = row;
  if (polling === null) return null;
  const prepare = (path: string | null | undefined, method: CustomToolDefinition['method'] = 'GET') =>
    path == null ? null : prepareRequest({ ...row, ...bodyDefaults, method, endpoint_path: path }, credential);
  return {
    rule: polling,
    location: prepare('/') as PreparedRequest,
    status: prepare(polling.status_path),
    result: prepare(polling.result_path),
    cancel: prepare(polling.cancel?.path, polling.cancel?.method),
  };
}

type RequestDefinition = Parameters<typeof prepareBody>[0] &
  Parameters<typeof keyParameterOf>[0] &
  Pick<CustomToolDefinition, 'context_in' | 'endpoint_path' | 'headers' | 'input_schema' | 'fixed_arguments'>;

/** The part that determines the requests. */
export function prepareRequest(
  definition: RequestDefinition,
  credential: { kind: 'header'; header: Record<string, string> } | { kind: Exclude<Credential['kind'], 'header'> },
): PreparedRequest {
  const headers = splitHeaders(definition.headers, definition.input_schema, definition.fixed_arguments);
  const shape: RequestShape = {
    method: definition.method,
    context_in: definition.context_in,
    template: compileTemplate(definition.endpoint_path),
    header_templates: headers.templates,
    key_parameter: keyParameterOf(definition),
    encodeBody: prepareBody(definition),
    sends_files: definition.body_format === 'multipart' || definition.body_format === 'raw',
  };
  const fixed = credential.kind === 'header' ? { ...headers.fixed, ...credential.header } : headers.fixed;
  return { shape, fixed_headers: prepareHeaders(fixedContentType(definition), fixed) };
}

const requiredOf = ({ required }: Schema): unknown[] => (Array.isArray(required) ? required : []);

/** Null: it is an endpoint of the customer's API. */
async function prepareMcp(app: App, { source, mcp }: ToolToCall, fairness_key: string) {
  if (source === null) return null;
  // The server was deleted at this moment, and the tool with it.
  if (mcp === null) throw refuse.notFound();
  return prepareTarget(app, source.upstream_name, mcp, fairness_key);
}

const overrideMap = (overrides: { subject_id: string; limit: number }[]) =>
  new Map(overrides.map(({ subject_id, limit }) => [subject_id, limit]));

async function prepareOutput(
  validators: Validators,
  row: ToolRow,
  fairness_key: string,
): Promise<PreparedTool['output']> {
  const { id, definition_hash } = row;
  const output_schema = listedOutputSchema(row);
  const input_schema = withoutArguments(row.input_schema, new Set(Object.keys(row.fixed_arguments)));
  if (output_schema === null) return { id, input_schema, output_schema, checkOutput: null, bytes: 0 };
  const validate = await validators.validatorFor(`${definition_hash} output`, output_schema, fairness_key);
  const checkOutput = (value: unknown): string | null => {
    const [problem] = validate(value) ?? [];
    return problem === undefined ? null : [problem.field, problem.message].filter(Boolean).join(' ');
  };
  return { id, input_schema, output_schema, checkOutput, bytes: validate.bytes };
}

function prepareHeaders(content_type: string | null, given: Record<string, string>): HeaderLines {
  const fixed: Record<string, string> = {
    accept: 'application/json, */*;q=0.8',
    'user-agent': `toolgate/${server_version}`,
  };
  if (content_type !== null) fixed['content-type'] = content_type;
  return headerLines(Object.assign(fixed, given));
}
