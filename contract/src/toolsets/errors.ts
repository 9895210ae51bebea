// The errors of toolsets.

import type { ErrorRow, ReasonRow } from '../error-row.ts';

export const toolsetsErrors = {
  slugTaken: {
    status: 409,
    code: 'SLUG_TAKEN',
    message: 'Slug is already in use',
    cause: 'The project has a toolset, or an MCP server, with this slug.',
    remedy: 'Choose another slug, or change what has it.',
    step: 'answer',
  },
  toolsetInUse: {
    status: 409,
    code: 'TOOLSET_IN_USE',
    message: 'Toolset is assigned',
    cause:
      'API keys, integrations, OAuth clients, OAuth providers or members are narrowed to this toolset, or a limit is for its tools.',
    remedy: 'Take it out of what details name, or delete it with ?detach=true, which takes it out everywhere.',
    step: 'answer',
  },
  toolsetChanged: {
    status: 409,
    code: 'TOOLSET_CHANGED',
    message: 'Toolset was changed meanwhile',
    cause:
      'expected_updated_at is not the time at which the toolset was last changed: somebody else has changed it since.',
    remedy: 'Read the toolset again, apply the change to it as it is now, and send its updated_at.',
    step: 'answer',
  },
} as const satisfies Record<string, ErrorRow>;

export const toolsetsReasons = {
  toolset_unknown: {
    cause: 'The project has no toolset with this id.',
    remedy: 'Use the id of a toolset of this project.',
  },
  tool_of_toolset_unknown: {
    cause: 'The project has no tool with this id.',
    remedy: 'Use ids of tools of this project; a name is not an id.',
  },
  toolsets_beyond_credential: {
    cause: 'The credential sees only some toolsets, and what it changes would see more.',
    remedy: 'Choose toolsets that the credential sees itself, or use a credential that sees every tool.',
  },
  credential_is_narrowed: {
    cause:
      'The credential sees only some toolsets, so it cannot change what others see, or hooks and log streams, which see all calls.',
    remedy: 'Use a credential that sees every tool of the project.',
  },
  name_reserved_for_search: {
    cause:
      'The project has a toolset that is searched, and models search with the tools `search_tools` and `call_tool`.',
    remedy: 'Choose another name, or set the exposure of every toolset to `list`.',
  },
  tool_has_search_name: {
    cause:
      'Models search with the tools `search_tools` and `call_tool`, and the project has a tool with one of these names.',
    remedy: 'Rename the tools that details name, then set the exposure.',
  },
  tool_not_in_toolset: {
    cause: 'The tool is in no toolset that this credential sees.',
    remedy: 'Add the tool to a toolset of the credential, or assign a toolset that contains it.',
    step: 'toolset',
  },
} as const satisfies Record<string, ReasonRow>;
