// POST /custom-tools/{id or name}/preview: the request that a call would send, with what is signed, and what is wrong with the
// arguments. Nothing is sent, and no secret is shown.

import { z } from 'zod';
import { type ApiKeyCaller, type Caller, type Project, projectOf, type ToolCaller } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { newId } from '../../database/ids.ts';
import { ApiError, refuse } from '../../errors.ts';
import { type Arguments, checkArguments, measureArguments } from './arguments.ts';
import { currentTool, refuseUnlessAllowed } from './call-access.ts';
import type { execution } from './execute.ts';
import { addSignature } from './outbound-call.ts';
import type { PreparedTool } from './prepared-tool.ts';
import { buildRequest } from './request.ts';
import { checkTestMember, makeTestCaller, refuseTestMember } from './test-caller.ts';

const REDACTED = '[redacted]';

export const requestPreview = z
  .strictObject({
    object: z.literal('tool_request_preview'),
    method: z.string().meta({ description: 'The HTTP method' }),
    url: z.string().nullable().meta({ description: 'The whole URL; null if the arguments do not allow to build it' }),
    headers: z
      .record(z.string(), z.string())
      .meta({ description: `The headers, in lower case; a credential is \`${REDACTED}\`` }),
    body: z.string().nullable().meta({ description: 'The body as it would be sent; null without one' }),
    canonical_string: z
      .string()
      .nullable()
      .meta({ description: 'What is signed; null unless `auth_strategy` is `hmac_signature`' }),
    signature: z.string().nullable().meta({ description: 'The value of X-Toolgate-Signature; null without one' }),
    problems: z
      .array(
        z
          .strictObject({
            code: z.string().meta({ description: 'The code of the error that a call would get' }),
            field: z.string().meta({ description: 'The argument or field; empty for the call as a whole' }),
            message: z.string().meta({ description: 'What is wrong' }),
          })
          .meta({ id: 'ToolRequestProblem' }),
      )
      .meta({ description: 'Why a call would be refused before anything is sent; empty if it would be sent' }),
  })
  .meta({ id: 'ToolRequestPreview' });

type Preview = z.infer<typeof requestPreview>;
type Problem = Preview['problems'][number];

export async function previewRequest(
  app: App,
  given: Caller,
  name: string,
  input: z.infer<typeof execution> | undefined,
): Promise<Preview> {
  const caller = callerOf(given, input?.member_external_id);
  const tool = await currentTool(app, caller, name);
  const problems: Problem[] = [];
  attempt(problems, () => refuseUnlessAllowed(tool, caller));
  if (tool.credential.kind === 'unreadable') problems.push(...problemsOf(refuse.authSecretUnreadable()));
  const args = input?.arguments === undefined ? {} : input.arguments;
  const checked = attempt(problems, () =>
    checkArguments(args, measureArguments(args, Number.POSITIVE_INFINITY), tool.validate),
  );
  const built = checked && attempt(problems, () => build(app, caller, tool, checked));
  return { object: 'tool_request_preview', method: tool.shape.method, ...(built ?? NOTHING), problems };
}

const NOTHING = { url: null, headers: {}, body: null, canonical_string: null, signature: null };

function callerOf(caller: Caller, member_external_id: string | undefined): ToolCaller {
  if (caller.kind !== 'account') {
    refuseTestMember(member_external_id);
    return caller.kind === 'root' ? anyKeyOf(projectOf(caller)) : caller;
  }
  const project = projectOf(caller);
  const external_id = checkTestMember(project, member_external_id);
  // Only the external id is sent; a member is not created for a preview.
  const member = external_id === null ? null : { member_id: '', external_id };
  return makeTestCaller(caller, project, member, async () => project);
}

/** The root key calls no tools: it sees what a key of the project would send. */
function anyKeyOf(project: Project): ApiKeyCaller {
  const key: ApiKeyCaller = {
    kind: 'api_key',
    project,
    api_key_id: '',
    integration_id: null,
    permissions: [],
    expires_at: null,
    reauthenticate: async () => key,
  };
  return key;
}

/** Adds why it was refused to the problems, and returns undefined. */
function attempt<T>(problems: Problem[], work: () => T): T | undefined {
  try {
    return work();
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

function build(
  app: App,
  caller: ToolCaller,
  tool: PreparedTool,
  given: Arguments,
): Omit<Preview, 'object' | 'method' | 'problems'> {
  const request = buildRequest(tool.shape, given, caller, {}, newId('call'));
  const { credential } = tool;
  const canonical_string =
    credential.kind === 'signature' ? addSignature(app.now(), caller, tool, request, credential) : null;
  const { path, query, headers, body } = request;
  return {
    url: `${tool.origin}${path}${query === '' ? '' : `?${query}`}`,
    headers: { host: tool.host, ...redactedHeaders(tool), ...headers },
    body,
    canonical_string,
    signature: headers['x-toolgate-signature'] ?? null,
  };
}

function redactedHeaders({ fixed_headers, credential }: PreparedTool): Record<string, string> {
  const lines = fixed_headers.split('\r\n').filter(Boolean);
  const fixed = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  if (credential.kind === 'header') for (const name of Object.keys(credential.header)) fixed[name] = REDACTED;
  if (credential.kind === 'token' || credential.kind === 'member_token') fixed.authorization = `Bearer ${REDACTED}`;
  return fixed;
}
