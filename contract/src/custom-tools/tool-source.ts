// Where a tool comes from that is not an endpoint of its own: an MCP server.

import { z } from 'zod';

export const toolSource = z
  .strictObject({
    kind: z.literal('mcp').meta({ description: 'An MCP server' }),
    mcp_server_id: z.string().meta({ description: 'Id of the MCP server' }),
    upstream_name: z.string().meta({ description: "The tool's name on that server" }),
  })
  .meta({ id: 'ToolSource' });

export type ToolSource = z.infer<typeof toolSource>;
