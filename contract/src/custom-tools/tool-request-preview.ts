// The request that a call would send, and the definition of a tool that is not saved yet, to preview one.

import { z } from 'zod';
import { customToolRequest } from './custom-tool.ts';
import { toolExecution } from './tool-execution.ts';

/** Stands in place of a credential. */
export const REDACTED = '[redacted]';

export const toolRequestPreview = z
  .strictObject({
    object: z.literal('tool_request_preview'),
    method: z.string().meta({ description: 'The HTTP method' }),
    url: z.string().nullable().meta({ description: 'The complete URL; null if it cannot be built from the arguments' }),
    headers: z
      .record(z.string(), z.string())
      .meta({ description: `The headers, in lowercase; credentials are \`${REDACTED}\`` }),
    body: z.string().nullable().meta({ description: 'The body as it would be sent; null without one' }),
    canonical_string: z
      .string()
      .nullable()
      .meta({ description: 'The signed string; null unless `auth_strategy` is `hmac_signature`' }),
    signature: z.string().nullable().meta({ description: 'The value of X-Toolgate-Signature; null without one' }),
    problems: z
      .array(
        z
          .strictObject({
            code: z.string().meta({ description: 'The error code that a call would return' }),
            field: z
              .string()
              .meta({ description: 'The argument or field; empty if the problem concerns the whole call' }),
            message: z.string().meta({ description: 'What is wrong' }),
          })
          .meta({ id: 'ToolRequestProblem' }),
      )
      .meta({ description: 'Why a call would be refused before anything is sent; empty if it would be sent' }),
  })
  .meta({ id: 'ToolRequestPreview' });

/** What determines a request. A secret is not part of it: no preview shows one. */
const requestDefinition = customToolRequest
  .pick({
    base_url: true,
    endpoint_path: true,
    method: true,
    body_format: true,
    body_encoding: true,
    body_argument: true,
    body_content_type: true,
    headers: true,
    context_in: true,
    require_member: true,
    input_schema: true,
    fixed_arguments: true,
    auth_strategy: true,
    auth_config: true,
  })
  .meta({ id: 'ToolRequestDefinition' });

export const toolDefinitionPreviewRequest = z
  .strictObject({
    definition: requestDefinition.meta({
      description:
        'The fields of a tool that determine its requests; the others have no effect here. Without the secret',
    }),
    arguments: toolExecution.shape.arguments,
    member_external_id: toolExecution.shape.member_external_id,
  })
  .meta({ id: 'ToolDefinitionPreviewRequest' });

export type ToolDefinitionPreviewRequest = z.infer<typeof toolDefinitionPreviewRequest>;

export type ToolRequestPreview = z.infer<typeof toolRequestPreview>;
