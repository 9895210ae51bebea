// A tool of an MCP server that the server has changed or removed since somebody approved it.

import { refuseChanged } from '../mcp/target.ts';
import type { Step } from '../run.ts';

export const refuseChangedTool: Step = (_app, { tool, given }) => {
  if (tool.mcp) refuseChanged(tool.mcp, given);
};
