// /custom-tools: register, list, read, update, enable, disable, delete and call tools; many at once; import them from an OpenAPI
// document; verify signatures; the encryption key.

import { pageOf, pageQuery } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
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
import { toolRequestPreview } from './tool-request-preview.ts';
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
      'Saves an endpoint of your HTTPS API as a tool that models can call, with version 1. It is enabled unless `is_enabled` is false, and MCP clients see it at their next `tools/list`. The definition is validated as a whole, the schemas are compiled, and nothing is sent to your API. The secret is stored encrypted and never returned.',
    body: customToolRequest,
    answer: customTool,
    status: 201,
    errors: definitionErrors,
    takes_idempotency_key: true,
  },
  listCustomTools: {
    method: 'GET',
    path: '/custom-tools',
    access: 'read',
    tag,
    summary: 'List the tools, newest first',
    description:
      'The tools of the project with their whole definitions, enabled or not. `search` and `is_enabled` select some of them.',
    query: customToolQuery,
    answer: pageOf(customTool),
  },
  getCustomTool: {
    method: 'GET',
    path: '/custom-tools/:tool_id',
    access: 'read',
    tag,
    summary: 'Read a tool',
    description:
      'One tool with its definition and its newest version number. Its secret is not shown: `has_auth_secret` says whether there is one.',
    answer: customTool,
  },
  updateCustomTool: {
    method: 'PATCH',
    path: '/custom-tools/:tool_id',
    access: 'write',
    tag,
    summary: 'Update a tool; the result must satisfy the rules of a new one',
    description:
      'Fields that are left out stay as they are. A change of the definition or of the secret is a new version, which calls use from now on; a change of `is_enabled` alone is not. A new signing secret signs together with the previous one for 24 hours. If calls would send a stored secret to another `base_url` or `token_url`, the secret must be given again. With `member_oauth`, `member_jwt` and `token_exchange`, callers with `admin` approve a tool for production with `is_approved`, which makes no version.',
    body: customToolChange,
    answer: customTool,
    errors: definitionErrors,
  },
  deleteCustomTool: {
    method: 'DELETE',
    path: '/custom-tools/:tool_id',
    access: 'admin',
    tag,
    summary: 'Delete a tool and its versions',
    description:
      'Models can no longer see or call it, on every replica. Its versions and its secret are deleted too; events, audit entries and the log of its calls stay. It cannot be undone: to stop calls for a time, disable it.',
    answer: null,
  },
  duplicateCustomTool: {
    method: 'POST',
    path: '/custom-tools/:tool_id/duplicate',
    access: 'write',
    tag,
    summary: 'Copy a tool under another name',
    description:
      'For a name, description or arguments that only some callers should see: the copy has the definition, the tags and the secret of the tool, version 1, and is disabled.',
    body: toolDuplicate,
    answer: customTool,
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
      'Models can list and call it from now on. Makes no new version, and changes nothing if the tool is enabled already.',
    answer: customTool,
  },
  disableCustomTool: {
    method: 'POST',
    path: '/custom-tools/:tool_id/disable',
    access: 'write',
    tag,
    summary: 'Disable a tool: calls are refused from now on, on every replica',
    description:
      'Models no longer see it, and calls are refused with 403. Calls that were sent already end as usual. Makes no new version, and changes nothing if the tool is disabled already.',
    answer: customTool,
  },
  listCustomToolVersions: {
    method: 'GET',
    path: '/custom-tools/:tool_id/versions',
    access: 'read',
    tag,
    summary: 'List the versions of a tool, newest first',
    description: 'Every saved state of the definition with who saved it and when. Calls use the newest.',
    query: pageQuery,
    answer: pageOf(customToolVersion),
  },
  getCustomToolVersion: {
    method: 'GET',
    path: '/custom-tools/:tool_id/versions/:version',
    access: 'read',
    tag,
    summary: 'Read a version of a tool',
    description:
      'One saved state of the definition, without the secret. To go back to it, send its `definition` in an update of the tool.',
    answer: customToolVersion,
    errors: ['validation'],
  },
  executeCustomTool: {
    method: 'POST',
    path: '/custom-tools/:tool_id/execute',
    access: 'tool',
    tag,
    summary: 'Call a tool',
    description:
      'Validates the arguments, sends the request to your API and returns its response. `tool_id` may be the name. A status of your API other than 2xx is `UPSTREAM_STATUS`. With an `Idempotency-Key` a retry gets the stored result and your API is called once. A tool with `require_member` needs a member session token. A person who is signed in calls tools only to try them, with a role that has `write`: the call is marked `is_test` in the log, your API gets `X-Toolgate-Test: true`, and `member_external_id` names the test member. A tool with `confirm` waits for a person: 409 `CONFIRMATION_REQUIRED` has the approval, and the call is repeated with its id in the header `X-Toolgate-Approval`. `response` of the tool decides what is left of the response; `raw=true` gives all of it to who has the permission `write`.',
    query: toolExecutionQuery,
    headers: toolExecutionHeaders,
    body: toolExecution.optional(),
    answer: toolExecutionResult,
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
    ],
    takes_idempotency_key: true,
  },
  previewCustomTool: {
    method: 'POST',
    path: '/custom-tools/:tool_id/preview',
    access: 'write',
    tag,
    summary: 'Show the request that a call would send',
    description:
      'Validates the arguments, and returns method, URL, headers, body, the canonical string and the signature, without sending anything. Credentials are redacted. For a tool of an MCP server it is the JSON-RPC message `tools/call`, without the session. What a call would be refused for is in `problems`. A person may name a test member in `member_external_id`.',
    body: toolExecution.optional(),
    answer: toolRequestPreview,
    errors: ['memberUnresolved', 'externalIdDisabled'],
  },
  previewToolResponse: {
    method: 'POST',
    path: '/custom-tools/:tool_id/preview-response',
    access: 'write',
    tag,
    summary: 'Show what a rule for responses would leave of one',
    description:
      'Applies a `response` rule that is not saved to the text of a response, such as `raw_body` of a call, as a call of the tool would. The rule is validated as if it were saved. A call that would fail is described in `problem`. Nothing is sent to your API or stored.',
    body: toolResponsePreviewRequest,
    answer: toolResponsePreview,
  },
  verifyToolSignature: {
    method: 'POST',
    path: '/custom-tools/:tool_id/verify-signature',
    access: 'write',
    tag,
    summary: 'Find out why a signature does not match',
    description:
      'Takes the request as your server received it, and compares it with what was signed, line by line. It names the first line that differs and what to change. The response contains no signature. Only for tools whose `auth_strategy` is `hmac_signature`.',
    body: receivedRequest,
    answer: signatureCheck,
    errors: ['authSecretUnreadable'],
  },
  getEncryptionKey: {
    method: 'GET',
    path: '/encryption-key',
    access: 'api_key',
    tag,
    summary: 'The public key to encrypt secrets to before they are sent',
    description:
      'Seal a secret to this key as a compact JWE (`ECDH-ES`, `A256GCM`) and send it as `encrypted_auth_secret`: then neither proxies nor request logs can read it. Every project has its own key.',
    answer: encryptionKey,
  },
  changeCustomTools: {
    method: 'POST',
    path: '/custom-tools/bulk',
    access: 'write',
    tag,
    summary: 'Enable, disable, delete or confirm the hints of many tools',
    description:
      'Changes the tools that `ids` or `filter` select, in one transaction: all of them or none. It counts as one request. Unknown ids are reported as `not_found` and do not fail the others. `confirm_hints` sets the hints that are derived from the method, as they are listed: a new version of each such tool. `delete` cannot be undone and needs the permission `admin`.',
    body: bulkToolAction,
    answer: bulkToolResult,
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
    summary: 'Make tools from an OpenAPI document; they are created disabled',
    description:
      'Makes one tool of each operation that `include` and `exclude` select, from a document in the body or at `document_url`. All tools are saved, or none. Operations that cannot be tools are in `skipped` with the reason. With `on_conflict` update a second import changes the tools that differ from the document and answers what changed; it never deletes one. With `dry_run` nothing is saved, and the answer is 200 with what would happen. A tool authenticates with the strategy of a security scheme for which `auth_secrets` has the secret, or with `auth_strategy`. The body may have 20 MiB, as JSON or as multipart/form-data.',
    consumes: ['application/json', 'multipart/form-data'],
    body: toolImportRequest,
    answer: toolImport,
    status: 201,
    status_if_unchanged: 200,
    errors: ['baseUrlNotHttps', 'baseUrlNotOrigin', 'authSecretRequired', 'nameTaken', 'limitReached'],
    takes_idempotency_key: true,
  },
});

export const customTools = defineResource({
  chapters: { 'Custom tools': "The customer's own HTTPS APIs, for models to call" },
  routes: { ...customToolRoutes, ...toolImportRoutes },
  events: customToolEvents,
});
