// An MCP server as the values of its form, and back.

import { DEFAULT_TIMEOUT_MS } from '@toolgate/contract/custom-tools/rules.ts';
import { DEFAULT_SYNC_MINUTES, reviewModes } from '@toolgate/contract/mcp-servers/rules.ts';
import { TOOLSET_SLUG, TOOLSET_SLUG_RULE } from '@toolgate/contract/toolsets/rules.ts';
import type { McpServer, Toolgate } from '@toolgate/sdk';
import * as z from 'zod/mini';
import { changedFields } from '../../ui/forms/changed-fields.ts';
import { required, resourceName } from '../../ui/forms/schemas.ts';
import { certificateFields, certificateFieldsOf, certificateValuesOf } from '../certificates/field.tsx';
import { authFields, authFieldsOf, authValuesOf } from '../custom-tools/auth-values.ts';
import { headerLines, headersOf, headerText } from '../custom-tools/header-lines.ts';

type NewFields = Parameters<Toolgate['mcpServers']['create']>[0];
type Changes = Parameters<Toolgate['mcpServers']['update']>[1];

const wholeNumber = z.string().check(z.trim(), z.regex(/^[1-9]\d*$/, 'Enter a whole number'));

export const serverSchema = z.object({
  name: resourceName,
  slug: z.string().check(z.trim(), z.regex(TOOLSET_SLUG, `The slug ${TOOLSET_SLUG_RULE}`)),
  url: required('Enter a URL').check(z.regex(/^https?:\/\//i, 'It begins with https://')),
  ...authFields,
  ...certificateFields,
  headers: headerLines,
  timeout_ms: wholeNumber,
  sync_minutes: wholeNumber,
  review: z.enum(reviewModes),
});

export type ServerValues = z.infer<typeof serverSchema>;

export const valuesOf = (server: McpServer | null): ServerValues => ({
  name: server?.name ?? '',
  slug: server?.slug ?? '',
  url: server?.url ?? '',
  ...authValuesOf(server),
  ...certificateValuesOf(server),
  headers: headerText(server?.headers),
  timeout_ms: String(server?.timeout_ms ?? DEFAULT_TIMEOUT_MS),
  sync_minutes: String(server?.sync_minutes ?? DEFAULT_SYNC_MINUTES),
  review: server?.review ?? 'manual',
});

export function fieldsOf({ name, slug, url, review, ...values }: ServerValues): NewFields {
  return {
    name,
    slug,
    url,
    review,
    headers: headersOf(values.headers),
    ...certificateFieldsOf(values),
    timeout_ms: Number(values.timeout_ms),
    sync_minutes: Number(values.sync_minutes),
    // The select offers only what servers have.
    ...(authFieldsOf(values, 'mcp_server') as Pick<NewFields, 'auth_strategy' | 'auth_config'>),
  };
}

export function changesOf(values: ServerValues, server: McpServer): Changes {
  const { slug: _, ...given } = fieldsOf(values);
  return changedFields(given, server);
}
