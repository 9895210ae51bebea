// The errors of MCP servers and of calls of their tools.

import type { ErrorRow, ReasonRow } from '../error-row.ts';
import { REFUSED_BY_API } from '../tool-calls/errors.ts';

export const mcpServersErrors = {
  toolChangedUpstream: {
    status: 409,
    code: 'TOOL_CHANGED_UPSTREAM',
    message: 'The tool has changed on its MCP server',
    cause:
      "The MCP server's definition of the tool differs from the approved one, and the arguments do not match both. Nothing was sent.",
    remedy: 'Review and approve the change under MCP servers, then call the tool with its new definition.',
    step: 'tool',
  },
  toolRemovedUpstream: {
    status: 410,
    code: 'TOOL_REMOVED_UPSTREAM',
    message: 'The tool is gone from its MCP server',
    cause: 'The MCP server no longer lists the tool. It is disabled after 24 hours.',
    remedy: "Use another tool; if this one should exist, ask the MCP server's operator and sync the server.",
    step: 'tool',
  },
  toolFailedUpstream: {
    status: 502,
    code: 'TOOL_FAILED_UPSTREAM',
    message: 'The tool reported an error',
    cause: 'The MCP server ran the tool, and its result reports a failure. Its text is in details.body.',
    remedy: "Read the tool's message in details.body, and correct the arguments.",
    step: 'upstream',
  },
  inputRequired: {
    status: 409,
    code: 'INPUT_REQUIRED',
    message: 'The MCP server asks the user for input first',
    cause: 'The MCP server returned a question for its user, which was passed on to the client.',
    remedy: "Nothing to do: the client asks its user and repeats the call with the user's response.",
    step: 'upstream',
    is_question: true,
  },
  upstreamError: {
    status: 502,
    code: 'UPSTREAM_ERROR',
    message: 'The MCP server returned an error',
    cause: 'The MCP server returned a JSON-RPC error for the call. Its code and text are in details.',
    remedy: 'Read details.body, and sync the server if the tool might have changed.',
    step: 'upstream',
    advice: () => REFUSED_BY_API,
  },
  upstreamUnauthorized: {
    status: 502,
    code: 'UPSTREAM_UNAUTHORIZED',
    message: 'The MCP server refused the credential',
    cause: "The MCP server refused toolgate's credential with 401.",
    remedy: "Save the MCP server's secret again, or have the member connect the account again.",
    step: 'upstream',
  },
  pendingToolChanged: {
    status: 409,
    code: 'PENDING_TOOL_CHANGED',
    message: 'The tool has changed since it was reviewed',
    cause: "A definition's hash differs from the one in hashes. Nothing was approved.",
    remedy: 'Read the pending tools again, review the change, and approve it with its new hash.',
    step: 'answer',
  },
} as const satisfies Record<string, ErrorRow>;

export const mcpServersReasons = {
  too_many_server_tools: {
    cause: 'More than 1,000 tools of one MCP server would be approved.',
    remedy: 'List the tools you need instead of all, or delete others.',
  },
  tool_not_pending: {
    cause: 'The MCP server has no new or changed tool with this name.',
    remedy: 'Use an upstream_name from the list of pending tools; if the tool is new, sync the server first.',
  },
  definition_not_approvable: {
    cause: "The tool's definition breaks a rule for schemas or names, so it cannot be approved.",
    remedy: 'Approve the other tools, or reject this one; its warnings explain what is wrong.',
  },
  mcp_server_not_approved: {
    cause:
      "The project is in production, and calls would send a member's token, or a JWT about a member, to an MCP server that nobody with the permission admin has approved. Nothing was sent.",
    remedy:
      "Ask a project admin to review the MCP server's url, auth_strategy and auth_config, and to approve it (PATCH is_approved).",
  },
  issuer_not_approved: {
    cause:
      "The MCP server's metadata points to an authorization server that no admin has approved: it is not the pinned one, or its endpoints have changed or are on two origins. Until then, nothing is sent for members.",
    remedy:
      "Ask an admin to compare the MCP server's pinned_issuer and found_issuer, and to approve the found one (POST …/approve-issuer) if it is right.",
  },
  secret_of_other_issuer: {
    cause: 'The stored client secret belongs to another issuer, and would be sent to this one.',
    remedy: "Change the MCP server's auth_config.issuer and send encrypted_auth_secret in the same request.",
  },
  set_by_mcp_server: {
    cause: 'The tool comes from an MCP server, which defines this field.',
    remedy: 'Leave the field out, or change it on the MCP server.',
  },
} as const satisfies Record<string, ReasonRow>;
