// POST /custom-tools/{id or name}/preview: the request that a call would send, with what is signed, and what is wrong with the
// arguments. Nothing is sent, and no secret is shown.

import type { ToolExecution } from '@toolgate/contract/custom-tools/tool-execution.ts';
import { REDACTED, type ToolRequestPreview } from '@toolgate/contract/custom-tools/tool-request-preview.ts';
import { type ApiKeyCaller, type Caller, type Project, projectOf, type ToolCaller } from '../../../access/caller.ts';
import { EVERY_TOOL } from '../../../access/layers.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { ApiError, refuse } from '../../../errors/errors.ts';
import { toolMessage } from '../../../mcp-client/client.ts';
import { POSTED, requestText } from '../../../mcp-client/exchange.ts';
import type { HeaderLines } from '../../../outbound/messages.ts';
import { joinQueries } from '../expansion/expand-query.ts';
import { NO_FILES, type SentFile, type SentFiles } from '../expansion/sent-file.ts';
import { type Arguments, checkArguments, measureArguments } from './arguments.ts';
import { currentTool, refuseUnlessAllowed } from './call-access.ts';
import type { Credential } from './credentials/credential.ts';
import { buildRequest } from './https/request.ts';
import { addSignature } from './https/sign-request.ts';
import { type McpTarget, refuseChanged } from './mcp/target.ts';
import type { PreparedTool } from './prepared-tool.ts';
import { checkTestMember, makeTestCaller, refuseTestMember } from './test-caller.ts';

export type Problem = ToolRequestPreview['problems'][number];

export async function previewRequest(
  app: App,
  given: Caller,
  name: string,
  input: ToolExecution | undefined,
): Promise<ToolRequestPreview> {
  const caller = callerOf(given, input?.member_external_id);
  const tool = await currentTool(app, caller, name);
  const problems: Problem[] = [];
  await attempt(problems, () => refuseUnlessAllowed(tool, caller));
  if (tool.credential.kind === 'unreadable') problems.push(...problemsOf(refuse.authSecretUnreadable()));
  const args = input?.arguments === undefined ? {} : input.arguments;
  const checked = await attempt(problems, () =>
    checkArguments(args, measureArguments(args, Number.POSITIVE_INFINITY), tool),
  );
  const { mcp } = tool;
  if (mcp && checked) await attempt(problems, () => refuseChanged(mcp, checked));
  const built =
    checked &&
    (await attempt(problems, () => (mcp ? buildMcp(tool, mcp, checked) : build(app, caller, tool, checked))));
  const method = mcp ? 'POST' : tool.shape.method;
  return { object: 'tool_request_preview', method, ...(built ?? NOTHING), problems };
}

export const NOTHING = { url: null, headers: {}, body: null, canonical_string: null, signature: null };

export function callerOf(caller: Caller, member_external_id: string | undefined): ToolCaller {
  if (caller.kind !== 'account') {
    refuseTestMember(member_external_id);
    return caller.kind === 'root' ? anyKeyOf(projectOf(caller)) : caller;
  }
  const project = projectOf(caller);
  const external_id = checkTestMember(project, member_external_id);
  // Only the external id is sent; a member is not created for a preview.
  const member = external_id === null ? null : { member_id: '', external_id };
  return makeTestCaller(caller, project, { member, layers: EVERY_TOOL }, async () => project);
}

/** The root key calls no tools: it sees what a key of the project would send. */
function anyKeyOf(project: Project): ApiKeyCaller {
  const key: ApiKeyCaller = {
    kind: 'api_key',
    project,
    api_key_id: '',
    integration_id: null,
    permissions: [],
    can_approve: false,
    layers: EVERY_TOOL,
    expires_at: null,
    reauthenticate: async () => key,
  };
  return key;
}

/** Adds why it was refused to the problems, and returns undefined. */
export async function attempt<T>(problems: Problem[], work: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    problems.push(...problemsOf(error));
    return undefined;
  }
}

function problemsOf({ code, message, details }: ApiError): Problem[] {
  const named = details.problems ?? [{ field: details.field ?? '', message }];
  return named.map((each) => ({ code, ...each }));
}

type Built = Omit<ToolRequestPreview, 'object' | 'method' | 'problems'>;

/** The message to an MCP server. The session of an older server and its id are not known before the call. */
function buildMcp(tool: PreparedTool, { server, revision, upstream_name, schema }: McpTarget, given: Arguments): Built {
  const { params, headers } = toolMessage(revision, {
    name: upstream_name,
    arguments: given,
    schema,
    meta: {},
    capabilities: {},
    responses: {},
  });
  return {
    url: server.origin + server.path,
    headers: { host: tool.host, ...redactedHeaders(server.fixed_headers, tool), ...headers, ...POSTED },
    body: requestText({ id: 1, method: 'tools/call', params }),
    canonical_string: null,
    signature: null,
  };
}

/** The part of a credential that a request shows. */
export type ShownCredential =
  | Pick<Credential & { kind: 'header' }, 'kind' | 'header'>
  | Pick<Credential & { kind: 'query' }, 'kind' | 'name'>
  | (Credential & { kind: 'signature' })
  | { kind: Exclude<Credential['kind'], 'header' | 'query' | 'signature'> };

type RequestOf = Pick<PreparedTool, 'shape' | 'fixed_headers' | 'origin' | 'host' | 'file_arguments'> & {
  credential: ShownCredential;
};

export function build(app: App, caller: ToolCaller, tool: RequestOf, given: Arguments): Built {
  const files = namedFiles(tool.file_arguments, given);
  const request = buildRequest(tool.shape, withNames(tool.shape, given, files), caller, {}, newId('call'), files);
  const { credential } = tool;
  // Without the bytes of the files nothing can be signed.
  const canonical_string =
    credential.kind === 'signature' && files.size === 0
      ? addSignature(app.now(), caller, tool, request, credential)
      : null;
  if (credential.kind === 'query') request.query = joinQueries(request.query, `${credential.name}=${REDACTED}`);
  const { path, query, headers, body } = request;
  return {
    url: `${tool.origin}${path}${query === '' ? '' : `?${query}`}`,
    headers: { host: tool.host, ...redactedHeaders(tool.fixed_headers, tool), ...headers },
    body: typeof body === 'object' ? (body?.map(shownPart).join('') ?? null) : body,
    canonical_string,
    signature: headers['x-toolgate-signature'] ?? null,
  };
}

/** In the place of the files, which are read only when they are sent. */
function namedFiles(names: readonly string[], given: Arguments): SentFiles {
  if (names.length === 0) return NO_FILES;
  const named = names.filter((name) => given[name] !== undefined && given[name] !== null);
  return new Map(named.map((name) => [name, { ...NAMED, name }]));
}

const NAMED: SentFile = {
  name: '',
  content_type: 'application/octet-stream',
  size: 0,
  sha256: '',
  read: async function* () {},
};

const shownPart = (part: string | SentFile) => (typeof part === 'string' ? part : `[the bytes of ${part.name}]`);

const withNames = ({ sends_files }: PreparedTool['shape'], given: Arguments, files: SentFiles): Arguments =>
  sends_files || files.size === 0
    ? given
    : { ...given, ...Object.fromEntries([...files.keys()].map((name) => [name, `[${name} as base64]`])) };

/** Each call gets its token when it is sent. */
const sendsBearer: Record<PreparedTool['credential']['kind'], boolean> = {
  header: false,
  query: false,
  signature: false,
  token: true,
  member_token: true,
  member_jwt: true,
  token_exchange: true,
  unreadable: false,
};

function redactedHeaders(
  fixed_headers: HeaderLines,
  { credential }: Pick<RequestOf, 'credential'>,
): Record<string, string> {
  const lines = fixed_headers.split('\r\n').filter(Boolean);
  const fixed = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  if (credential.kind === 'header') for (const name of Object.keys(credential.header)) fixed[name] = REDACTED;
  if (sendsBearer[credential.kind]) fixed.authorization = `Bearer ${REDACTED}`;
  return fixed;
}
