// The errors of toolsets.

import type { ErrorRow, ReasonRow } from '../error-row.ts';

export const toolsetsErrors = {
  slugTaken: {
    status: 409,
    code: 'SLUG_TAKEN',
    message: 'Slug is already in use',
    cause: "One of the project's toolsets or MCP servers already has this slug.",
    remedy: 'Choose another slug.',
    step: 'answer',
  },
  toolsetInUse: {
    status: 409,
    code: 'TOOLSET_IN_USE',
    message: 'Toolset is assigned',
    cause:
      'API keys, integrations, OAuth clients, OAuth providers or members are restricted to this toolset, or a limit applies to its tools.',
    remedy: 'Remove it from everything listed in details, or delete it with ?detach=true, which removes it everywhere.',
    step: 'answer',
  },
  toolsetChanged: {
    status: 409,
    code: 'TOOLSET_CHANGED',
    message: 'Toolset was changed by someone else',
    cause: "expected_updated_at differs from the toolset's updated_at: someone else has changed it since.",
    remedy: 'Read the toolset again, apply your change to its current state, and send its updated_at.',
    step: 'answer',
  },
} as const satisfies Record<string, ErrorRow>;

export const toolsetsReasons = {
  toolset_unknown: {
    cause: 'The project has no toolset with this id.',
    remedy: "Use the id of one of this project's toolsets.",
  },
  tool_of_toolset_unknown: {
    cause: 'The project has no tool with this id.',
    remedy: "Use the ids of this project's tools, not their names.",
  },
  toolsets_beyond_credential: {
    cause: 'The credential has access to only some toolsets, and the change would give access to more.',
    remedy: 'Choose toolsets that the credential has access to, or use a credential with access to all tools.',
  },
  credential_is_narrowed: {
    cause:
      'The credential has access to only some toolsets, so it cannot change what others have access to. It also cannot change hooks and log streams, which cover all calls.',
    remedy: "Use a credential with access to all of the project's tools.",
  },
  name_reserved_for_search: {
    cause:
      "One of the project's toolsets has the exposure `search`, which uses the tools `search_tools` and `call_tool`.",
    remedy: "Choose another name, or set every toolset's exposure to `list`.",
  },
  tool_has_search_name: {
    cause:
      'Models search with the tools `search_tools` and `call_tool`, and the project has a tool with one of these names.',
    remedy: 'Rename the tools listed in details, then set the exposure.',
  },
  tool_not_in_toolset: {
    cause: 'No toolset that this credential has access to contains the tool.',
    remedy: "Add the tool to one of the credential's toolsets, or assign a toolset that contains it.",
    step: 'toolset',
  },
} as const satisfies Record<string, ReasonRow>;
