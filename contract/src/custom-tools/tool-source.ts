// Where a tool comes from that is not an endpoint of its own: an MCP server.

import { z } from 'zod';
import { viewCsp } from '../mcp-servers/tool-view.ts';
import { visibilities } from './rules.ts';

/** As it was approved, and as hosts get it. */
const sourceView = z
  .strictObject({
    uri: z.string().meta({ description: 'Its URI at the MCP endpoint of the project' }),
    sha256: z.string().meta({ description: 'SHA-256 of its HTML' }),
    csp: viewCsp,
    prefers_border: z.boolean().nullable().meta({ description: 'Whether it asks for a border; null: it does not say' }),
  })
  .meta({ id: 'SourceView' });

export type SourceView = z.infer<typeof sourceView>;

/** Fields that came later are left out where a tool lacks them: they are part of its definition_hash. */
export const toolSource = z
  .strictObject({
    kind: z.literal('mcp').meta({ description: 'An MCP server' }),
    mcp_server_id: z.string().meta({ description: 'Id of the MCP server' }),
    upstream_name: z.string().meta({ description: "The tool's name on that server" }),
    visibility: z
      .array(z.enum(visibilities))
      .optional()
      .meta({ description: 'Who may call it, as the server says: models or views (apps). Missing: both' }),
    view: sourceView.optional().meta({ description: 'The approved view. Missing: the tool has none' }),
  })
  .meta({ id: 'ToolSource' });

export type ToolSource = z.infer<typeof toolSource>;
