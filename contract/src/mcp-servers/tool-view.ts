// The view of a tool of an MCP server (MCP Apps): HTML that hosts show with a result of the tool, as a sync pinned it.

import { z } from 'zod';
import { viewProblems } from './rules.ts';

const origins = (description: string) => z.array(z.string()).meta({ description });

export const viewCsp = z
  .strictObject({
    connect_domains: origins('Origins that the view may connect to'),
    resource_domains: origins('Origins that the view may load scripts, styles, images and fonts from'),
  })
  .meta({ description: 'What the view may reach; nothing else' });

export type ViewCsp = z.infer<typeof viewCsp>;

export const toolView = z
  .strictObject({
    uri: z.string().meta({ description: 'Its URI on the server', example: 'ui://orders/table.html' }),
    sha256: z.string().nullable().meta({ description: 'SHA-256 of its HTML; null with a `problem`' }),
    size: z.int().nullable().meta({ description: 'Of its HTML, in bytes; null with a `problem`' }),
    csp: viewCsp.nullable().meta({ description: 'What it may reach, and nothing else; null with a `problem`' }),
    prefers_border: z.boolean().nullable().meta({ description: 'Whether it asks for a border; null: it does not say' }),
    dropped: z.record(z.string(), z.unknown()).meta({
      description: 'What it asks for and does not get: `frameDomains`, `baseUriDomains`, `permissions`, `domain`',
      example: {},
    }),
    problem: z
      .enum(viewProblems)
      .nullable()
      .meta({ description: 'Why the view is not used; the tool can be approved without it' }),
  })
  .meta({ id: 'ToolView' });

export type ToolView = z.infer<typeof toolView>;

/** Where a definition has the view that it was pinned with. */
export const VIEW_PIN = 'toolgate/view';

export const viewHtml = z
  .strictObject({
    object: z.literal('mcp_server_view'),
    sha256: z.string().meta({ description: 'SHA-256 of the HTML' }),
    size: z.int().meta({ description: 'Of the HTML, in bytes' }),
    html: z.string().meta({ description: 'The HTML as text. It is foreign: do not render it outside of a sandbox' }),
  })
  .meta({ id: 'McpServerView' });

export type ViewHtml = z.infer<typeof viewHtml>;
