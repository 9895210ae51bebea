// The errors of MCP servers and of calls of their tools.

import type { ErrorRow, ReasonRow } from '../error-row.ts';
import { REFUSED_BY_API } from '../tool-calls/errors.ts';

export const mcpServersErrors = {
  toolChangedUpstream: {
    status: 409,
    code: 'TOOL_CHANGED_UPSTREAM',
    message: 'The tool has changed at its MCP server',
    cause:
      'The MCP server has another definition of the tool than the approved one, and the arguments do not fit both. Nothing was sent.',
    remedy: 'Review the change under MCP servers and approve it, then call the tool as it is listed then.',
    step: 'tool',
  },
  toolRemovedUpstream: {
    status: 410,
    code: 'TOOL_REMOVED_UPSTREAM',
    message: 'The tool is gone from its MCP server',
    cause: 'The MCP server no longer lists the tool. After 24 hours it is disabled.',
    remedy: 'Use another tool. If it should be there, ask who runs the MCP server, and sync it.',
    step: 'tool',
  },
  toolFailedUpstream: {
    status: 502,
    code: 'TOOL_FAILED_UPSTREAM',
    message: 'The tool reported an error',
    cause: 'The MCP server ran the tool, and its result says that it failed. Its text is in details.body.',
    remedy: 'Read what the tool says in details.body, and correct the arguments.',
    step: 'upstream',
  },
  inputRequired: {
    status: 409,
    code: 'INPUT_REQUIRED',
    message: 'The MCP server asks the user for something first',
    cause: 'The MCP server returned a question for its user, which was passed on to the client.',
    remedy: 'Nothing: the client asks its user and repeats the call with the answer.',
    step: 'upstream',
    is_question: true,
  },
  upstreamError: {
    status: 502,
    code: 'UPSTREAM_ERROR',
    message: 'The MCP server returned an error',
    cause: 'The MCP server returned a JSON-RPC error for the call. Its code and text are in details.',
    remedy: 'Read details.body. Sync the server if the tool may have changed.',
    step: 'upstream',
    advice: () => REFUSED_BY_API,
  },
  upstreamUnauthorized: {
    status: 502,
    code: 'UPSTREAM_UNAUTHORIZED',
    message: 'The MCP server refused the credential',
    cause: 'The MCP server refused the credential that toolgate has for it with 401.',
    remedy: 'Save the secret of the MCP server again, or let the member connect the account again.',
    step: 'upstream',
  },
  pendingToolChanged: {
    status: 409,
    code: 'PENDING_TOOL_CHANGED',
    message: 'The tool has changed since it was reviewed',
    cause: 'The hash of a definition differs from the one in hashes. Nothing was approved.',
    remedy: 'Read the pending tools again, review the change, and approve it with its new hash.',
    step: 'answer',
  },
} as const satisfies Record<string, ErrorRow>;

export const mcpServersReasons = {
  too_many_server_tools: {
    cause: 'More than 1,000 tools of one MCP server would be approved.',
    remedy: 'Name the tools that are needed instead of all, or delete others.',
  },
  tool_not_pending: {
    cause: 'The MCP server has no new or changed tool with this name.',
    remedy: 'Use an upstream_name of the list of pending tools; sync the server first if the tool is new.',
  },
  definition_not_approvable: {
    cause: 'The definition of the tool breaks a rule for schemas or names, so that it cannot be approved.',
    remedy: 'Name the other tools, or reject this one; its warnings say what is wrong.',
  },
  mcp_server_not_approved: {
    cause:
      'The project is in production, and calls would send the token of a member, or a JWT about one, to an MCP server that nobody with the permission admin has approved. Nothing was sent.',
    remedy:
      'Ask an admin of the project to look at url, auth_strategy and auth_config of the MCP server, and to approve it (PATCH is_approved).',
  },
  issuer_not_approved: {
    cause:
      'The MCP server names an authorization server that no admin has approved: another one than the pinned one, or one whose endpoints are another or of two origins. Nothing is sent for members meanwhile.',
    remedy:
      'Ask an admin to compare pinned_issuer and found_issuer of the MCP server, and to approve the found one (POST …/approve-issuer) if it is right.',
  },
  secret_of_other_issuer: {
    cause: 'The stored client secret was given for another issuer, and would be sent to this one.',
    remedy: 'Change auth_config.issuer of the MCP server and give encrypted_auth_secret in the same request.',
  },
  set_by_mcp_server: {
    cause: 'The tool comes from an MCP server, which decides this field.',
    remedy: 'Leave the field out, or change it at the MCP server.',
  },
} as const satisfies Record<string, ReasonRow>;
