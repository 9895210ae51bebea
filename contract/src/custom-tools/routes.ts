// /custom-tools: register, list, read, update, enable, disable, delete and call tools; many at once; import them from an OpenAPI
// document; verify signatures; the encryption key.

import { pageOf, pageQuery } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import { startedTask } from '../tasks/task.ts';
import { bulkToolAction, bulkToolResult } from './bulk-tool-action.ts';
import {
  customTool,
  customToolChange,
  customToolQuery,
  customToolRequest,
  customToolVersion,
  toolDuplicate,
} from './custom-tool.ts';
import { encryptionKey } from './encryption-key.ts';
import { customToolEvents } from './events.ts';
import { receivedRequest, signatureCheck } from './signature-check.ts';
import { toolExecution, toolExecutionHeaders, toolExecutionQuery, toolExecutionResult } from './tool-execution.ts';
import { toolImport, toolImportRequest } from './tool-import.ts';
import { toolDefinitionPreviewRequest, toolRequestPreview } from './tool-request-preview.ts';
import { toolResponsePreview, toolResponsePreviewRequest } from './tool-response-preview.ts';

const tag = 'Custom tools';

const definitionErrors = [
  'baseUrlNotHttps',
  'baseUrlNotOrigin',
  'endpointPathNotAbsolute',
  'authSecretRequired',
  'memberIdWithoutMember',
  'nameTaken',
  'limitReached',
] as const;

export const customToolRoutes = defineRoutes({
  createCustomTool: {
    method: 'POST',
    path: '/custom-tools',
    access: 'write',
    tag,
    summary: 'Register a tool',
    description:
      'Saves an endpoint of your HTTPS API as version 1 of a tool that models can call. The tool is enabled unless `is_enabled` is false, and MCP clients see it at their next `tools/list`. The whole definition is validated and the schemas are compiled, but nothing is sent to your API. The secret is stored encrypted and never returned.',
    body: customToolRequest,
    response: customTool,
    status: 201,
    errors: definitionErrors,
    takes_idempotency_key: true,
  },
  listCustomTools: {
    method: 'GET',
    path: '/custom-tools',
    access: 'read',
    tag,
    summary: 'List tools, newest first',
    description:
      "The project's tools with their complete definitions, enabled or not. Use `search` and `is_enabled` to filter them.",
    query: customToolQuery,
    response: pageOf(customTool),
  },
  getCustomTool: {
    method: 'GET',
    path: '/custom-tools/:tool_id',
    access: 'read',
    tag,
    summary: 'Get a tool',
    description:
      'One tool with its definition and newest version number. Its secret is not shown: `has_auth_secret` tells you whether there is one.',
    response: customTool,
  },
  updateCustomTool: {
    method: 'PATCH',
    path: '/custom-tools/:tool_id',
    access: 'write',
    tag,
    summary: 'Update a tool; the result must follow the rules for new tools',
    description:
      'Fields you leave out stay unchanged. Changing the definition or the secret creates a new version, which calls use from then on; changing only `is_enabled` does not. A new signing secret signs together with the previous one for 24 hours. If calls would send a stored secret to another `base_url` or `token_url`, you must send the secret again. With `member_oauth`, `member_jwt` and `token_exchange`, callers with `admin` approve a tool for production with `is_approved`, which does not create a version.',
    body: customToolChange,
    response: customTool,
    errors: definitionErrors,
  },
  deleteCustomTool: {
    method: 'DELETE',
    path: '/custom-tools/:tool_id',
    access: 'admin',
    tag,
    summary: 'Delete a tool and its versions',
    description:
      'Models can no longer see or call it, on every replica. Its versions and its secret are deleted too; events, audit entries and logged calls stay. This cannot be undone: to stop calls temporarily, disable the tool.',
    response: null,
  },
  duplicateCustomTool: {
    method: 'POST',
    path: '/custom-tools/:tool_id/duplicate',
    access: 'write',
    tag,
    summary: 'Copy a tool under a new name',
    description:
      "Use a copy if some callers should see another name, description or fixed arguments. The copy has the tool's definition, tags and secret, starts with version 1, and is disabled.",
    body: toolDuplicate,
    response: customTool,
    status: 201,
    errors: ['nameTaken', 'limitReached'],
    takes_idempotency_key: true,
  },
  enableCustomTool: {
    method: 'POST',
    path: '/custom-tools/:tool_id/enable',
    access: 'write',
    tag,
    summary: 'Enable a tool',
    description:
      'Models can list and call it immediately. Creates no new version, and changes nothing if the tool is already enabled.',
    response: customTool,
  },
  disableCustomTool: {
    method: 'POST',
    path: '/custom-tools/:tool_id/disable',
    access: 'write',
    tag,
    summary: 'Disable a tool',
    description:
      'Models no longer see it, and calls are refused with 403 immediately, on every replica. Calls that were already sent finish as usual. Creates no new version, and changes nothing if the tool is already disabled.',
    response: customTool,
  },
  listCustomToolVersions: {
    method: 'GET',
    path: '/custom-tools/:tool_id/versions',
    access: 'read',
    tag,
    summary: "List a tool's versions, newest first",
    description: 'Every saved version of the definition, with who saved it and when. Calls use the newest.',
    query: pageQuery,
    response: pageOf(customToolVersion),
  },
  getCustomToolVersion: {
    method: 'GET',
    path: '/custom-tools/:tool_id/versions/:version',
    access: 'read',
    tag,
    summary: 'Get a version of a tool',
    description:
      'One saved version of the definition, without the secret. To restore it, send its `definition` in an update of the tool.',
    response: customToolVersion,
    errors: ['validation'],
  },
  executeCustomTool: {
    method: 'POST',
    path: '/custom-tools/:tool_id/execute',
    access: 'tool',
    tag,
    summary: 'Call a tool',
    description:
      "Validates the arguments, sends the request to your API and returns its response. `tool_id` can be the tool's name. If your API returns a status other than 2xx, the error is `UPSTREAM_STATUS`. With an `Idempotency-Key`, a retry returns the stored result and your API is called only once. A tool with `require_member` requires a member session token. People who are signed in can try tools if their role has `write`: the call is marked `is_test` in the log, your API receives `X-Toolgate-Test: true`, and `member_external_id` chooses the test member. A tool with `confirm` waits for approval: the response is 409 `CONFIRMATION_REQUIRED` with the approval, and you repeat the call with its id in the `X-Toolgate-Approval` header. The tool's `response` rule trims the response; `raw=true`, which requires `write`, returns all of it. If the tool has `polling` and your API's first response says that the work has only begun, the response is 202 with a task and its URL in `Location`; `wait_seconds` waits for its end first. The same call again while its task is working returns that task.",
    query: toolExecutionQuery,
    headers: toolExecutionHeaders,
    body: toolExecution.optional(),
    response: toolExecutionResult,
    accepted: startedTask,
    errors: [
      'reservedVariable',
      'toolNotEnabled',
      'memberSignInRequired',
      'memberUnresolved',
      'externalIdDisabled',
      'memberContextRequired',
      'toolExecutionFailed',
      'toolTimedOut',
      'authSecretUnreadable',
      'upstreamStatus',
      'upstreamConnection',
      'resultTooLarge',
      'resultNotShaped',
      'confirmationRequired',
      'callDeclined',
      'tooManyPending',
      'tooManyTasks',
      'taskStartUnknown',
      'taskFailed',
      'taskTimedOut',
      'taskResponseInvalid',
    ],
    takes_idempotency_key: true,
  },
  previewCustomTool: {
    method: 'POST',
    path: '/custom-tools/:tool_id/preview',
    access: 'write',
    tag,
    summary: 'Preview the request of a call',
    description:
      "Validates the arguments and returns the method, URL, headers, body, canonical string and signature, without sending anything. Credentials are redacted. For an MCP server's tool, it returns the JSON-RPC message `tools/call`, without the session. `problems` lists the reasons why a call would be refused. A person can choose a test member with `member_external_id`.",
    body: toolExecution.optional(),
    response: toolRequestPreview,
    errors: ['memberUnresolved', 'externalIdDisabled'],
  },
  previewToolDefinition: {
    method: 'POST',
    path: '/custom-tools/preview',
    access: 'write',
    tag,
    summary: 'Preview the request of a tool that is not saved',
    description:
      'Validates a definition and the arguments of a call, and returns the request that the call would send. Nothing is sent or stored. Leave the secret out: credentials and the signature are redacted. `problems` lists what is wrong with the definition and the arguments. The URL is null while the definition or the arguments are invalid, but not if only the authentication is. A person can choose a test member with `member_external_id`.',
    body: toolDefinitionPreviewRequest,
    response: toolRequestPreview,
    errors: ['memberUnresolved', 'externalIdDisabled'],
  },
  previewToolResponse: {
    method: 'POST',
    path: '/custom-tools/:tool_id/preview-response',
    access: 'write',
    tag,
    summary: 'Preview what a response rule leaves of a response',
    description:
      'Applies an unsaved `response` rule to the text of a response, such as `raw_body` of a call, exactly as a tool call would. The rule is validated as if it were saved. If a call would fail, `problem` describes why. Nothing is sent to your API or stored.',
    body: toolResponsePreviewRequest,
    response: toolResponsePreview,
  },
  verifyToolSignature: {
    method: 'POST',
    path: '/custom-tools/:tool_id/verify-signature',
    access: 'write',
    tag,
    summary: 'Find out why a signature does not match',
    description:
      'Compares the request that your server received with the request that was signed, line by line, and reports the first line that differs and what to change. The response contains no signature. Only for tools whose `auth_strategy` is `hmac_signature`.',
    body: receivedRequest,
    response: signatureCheck,
    errors: ['authSecretUnreadable'],
  },
  getEncryptionKey: {
    method: 'GET',
    path: '/encryption-key',
    access: 'api_key',
    tag,
    summary: 'Get the public key for encrypting secrets',
    description:
      'Encrypt a secret for this key as a compact JWE (`ECDH-ES`, `A256GCM`) and send it as `encrypted_auth_secret`, so that neither proxies nor request logs can read it. Every project has its own key.',
    response: encryptionKey,
  },
  changeCustomTools: {
    method: 'POST',
    path: '/custom-tools/bulk',
    access: 'write',
    tag,
    summary: 'Enable, disable or delete many tools, or confirm their hints',
    description:
      'Changes the tools selected by `ids` or `filter` in one transaction: all of them or none. It counts as one request. Unknown ids are reported as `not_found` without affecting the others. `confirm_hints` saves the hints that are derived from the method, which creates a new version of each such tool. `delete` cannot be undone and requires the permission `admin`.',
    body: bulkToolAction,
    response: bulkToolResult,
    takes_idempotency_key: true,
  },
});

/** Apart from the others, because its body is read in another way. */
export const toolImportRoutes = defineRoutes({
  importCustomTools: {
    method: 'POST',
    path: '/custom-tools/import',
    access: 'write',
    tag,
    summary: 'Create tools from an OpenAPI document',
    description:
      'Creates one disabled tool for each operation that `include` and `exclude` select, from a document in the body or at `document_url`. Either all tools are saved, or none. Operations that cannot become tools are listed in `skipped` with the reason. With `on_conflict: update`, another import updates tools that differ from the document and returns what changed; it never deletes one. With `dry_run`, nothing is saved, and the 200 response shows what would happen. A tool authenticates with the strategy of a security scheme that has a secret in `auth_secrets`, or with `auth_strategy`. The body can be up to 20 MiB, as JSON or multipart/form-data.',
    consumes: ['application/json', 'multipart/form-data'],
    body: toolImportRequest,
    response: toolImport,
    status: 201,
    status_if_unchanged: 200,
    errors: ['baseUrlNotHttps', 'baseUrlNotOrigin', 'authSecretRequired', 'nameTaken', 'limitReached'],
    takes_idempotency_key: true,
  },
});

export const customTools = defineResource({
  chapters: { 'Custom tools': 'Your own HTTPS APIs, for models to call' },
  routes: { ...customToolRoutes, ...toolImportRoutes },
  events: customToolEvents,
});
