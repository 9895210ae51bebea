// The code that the page of MCP servers shows.

/** Adds an MCP server over the API. */
export const createSnippet = (origin: string, projectId: string) =>
  `curl -sS ${origin}/api/v1/projects/${projectId}/mcp-servers \\
  -H "Authorization: Bearer YOUR_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"slug": "billing", "name": "Billing", "url": "https://mcp.example.com/mcp"}'`;
