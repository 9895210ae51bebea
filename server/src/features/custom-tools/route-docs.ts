// The texts of the API reference for these routes.

import { routeDocs } from '../../api/route-docs.ts';

export const docs = routeDocs({
  createCustomTool: {
    summary: 'Register a tool',
    description:
      'Saves an endpoint of your HTTPS API as a tool that models can call, with version 1. It is enabled unless `is_enabled` is false, and MCP clients see it at their next `tools/list`. The definition is validated as a whole, the schemas are compiled, and nothing is sent to your API. The secret is stored encrypted and never returned.',
  },
  listCustomTools: {
    summary: 'List the tools, newest first',
    description:
      'The tools of the project with their whole definitions, enabled or not. `search` and `is_enabled` select some of them.',
  },
  getCustomTool: {
    summary: 'Read a tool',
    description:
      'One tool with its definition and its newest version number. Its secret is not shown: `has_auth_secret` says whether there is one.',
  },
  updateCustomTool: {
    summary: 'Update a tool; the result must satisfy the rules of a new one',
    description:
      'Fields that are left out stay as they are. A change of the definition or of the secret is a new version, which calls use from now on; a change of `is_enabled` alone is not. A new signing secret signs together with the previous one for 24 hours. If calls would send a stored secret to another `base_url` or `token_url`, the secret must be given again.',
  },
  deleteCustomTool: {
    summary: 'Delete a tool and its versions',
    description:
      'Models can no longer see or call it, on every replica. Its versions and its secret are deleted too; events, audit entries and the log of its calls stay. It cannot be undone: to stop calls for a time, disable it.',
  },
  enableCustomTool: {
    summary: 'Enable a tool',
    description:
      'Models can list and call it from now on. Makes no new version, and changes nothing if the tool is enabled already.',
  },
  disableCustomTool: {
    summary: 'Disable a tool: calls are refused from now on, on every replica',
    description:
      'Models no longer see it, and calls are refused with 403. Calls that were sent already end as usual. Makes no new version, and changes nothing if the tool is disabled already.',
  },
  listCustomToolVersions: {
    summary: 'List the versions of a tool, newest first',
    description: 'Every saved state of the definition with who saved it and when. Calls use the newest.',
  },
  getCustomToolVersion: {
    summary: 'Read a version of a tool',
    description:
      'One saved state of the definition, without the secret. To go back to it, send its `definition` in an update of the tool.',
  },
  executeCustomTool: {
    summary: 'Call a tool',
    description:
      'Validates the arguments, sends the request to your API and answers with what it answered. `tool_id` may be the name. Answers of your API other than 2xx are `UPSTREAM_STATUS`. With an `Idempotency-Key` a retry gets the stored result and your API is called once. A tool with `require_member` needs a member session token. A person who is signed in calls tools only to try them, with a role that has `write`: the call is marked `is_test` in the log, your API gets `X-Toolgate-Test: true`, and `member_external_id` names the test member.',
  },
  previewCustomTool: {
    summary: 'Show the request that a call would send',
    description:
      'Validates the arguments, and answers with method, URL, headers, body, the canonical string and the signature, without sending anything. Credentials are redacted. What a call would be refused for is in `problems`. A person may name a test member in `member_external_id`.',
  },
  verifyToolSignature: {
    summary: 'Find out why a signature does not match',
    description:
      'Takes the request as your server received it, and compares it with what was signed, line by line. It names the first line that differs and what to change. The answer contains no signature. Only for tools whose `auth_strategy` is `hmac_signature`.',
  },
  getEncryptionKey: {
    summary: 'The public key to encrypt secrets to before they are sent',
    description:
      'Seal a secret to this key as a compact JWE (`ECDH-ES`, `A256GCM`) and send it as `encrypted_auth_secret`: then neither proxies nor request logs can read it. Every project has its own key.',
  },
});
