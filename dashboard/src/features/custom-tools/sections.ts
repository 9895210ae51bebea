// The sections of the form of a tool, and the fields in each.

import type { ToolValues } from './values.ts';

type Section = { title: string; fields: readonly (keyof ToolValues)[] };

export const authSection = {
  title: 'Authentication',
  fields: ['auth_strategy', 'auth_config', 'encrypted_auth_secret', 'certificate_id'],
} as const satisfies Section;

export const sections = {
  description: { title: 'Name and description', fields: ['name', 'title', 'description'] },
  request: {
    title: 'Request',
    fields: ['method', 'base_url', 'endpoint_path', 'headers', 'context_in', 'timeout_ms'],
  },
  arguments: { title: 'Arguments', fields: ['input_schema', 'fixed_arguments'] },
  body: { title: 'Body', fields: ['body_format', 'body_encoding', 'body_argument', 'body_content_type'] },
  auth: authSection,
  access: { title: 'Access', fields: ['require_member', 'is_enabled'] },
  confirmation: { title: 'Confirmation', fields: ['confirm'] },
  limits: { title: 'Limits', fields: ['weight'] },
  hints: { title: 'Hints for MCP clients', fields: ['annotations'] },
  results: { title: 'Results', fields: ['output_schema'] },
} as const satisfies Record<string, Section>;

type Placed = (typeof sections)[keyof typeof sections]['fields'][number];

/** Does not compile if a field of the form is in none of them. */
export const allSections: keyof ToolValues extends Placed ? readonly Section[] : never = Object.values(sections);
