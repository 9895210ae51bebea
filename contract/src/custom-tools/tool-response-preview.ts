// What a `response` rule that is not saved yet would leave of a response.

import { z } from 'zod';
import { text } from '../fields.ts';
import { MAX_RESPONSE_BYTES } from '../projects/rules.ts';
import { toolExecutionResult } from './tool-execution.ts';
import { toolResponse } from './tool-response.ts';

export const toolResponsePreviewRequest = z
  .strictObject({
    body: text(0, MAX_RESPONSE_BYTES).meta({
      description: 'The text of a response from your API, such as JSON. It is not stored',
      example: '{"items":[{"id":1,"_links":{"self":"/items/1"}}]}',
    }),
    response: toolResponse
      .nullable()
      .meta({ description: 'The rule as you would save it in the tool; null keeps everything' }),
  })
  .meta({ id: 'ToolResponsePreviewRequest' });

export type ToolResponsePreviewRequest = z.infer<typeof toolResponsePreviewRequest>;

const { truncated, truncation, result_tokens, shaped_tokens } = toolExecutionResult.shape;

export const toolResponsePreview = z
  .strictObject({
    object: z.literal('tool_response_preview'),
    body: z.string().nullable().meta({ description: 'The text that is left; null if a call would fail' }),
    is_json: z.boolean().meta({ description: 'Whether `body` is JSON' }),
    truncated,
    truncation,
    truncation_text: z
      .string()
      .nullable()
      .meta({ description: 'The sentence that a model reads after an incomplete result' }),
    result_tokens,
    shaped_tokens: shaped_tokens
      .nullable()
      .meta({ description: 'The same for what is left; null if a call would fail' }),
    problem: z
      .strictObject({
        code: z.string().meta({ description: 'The code of the error', example: 'RESULT_TOO_LARGE' }),
        message: z.string().meta({ description: 'What is wrong' }),
        remedy: z.string().meta({ description: 'How to fix it' }),
      })
      .nullable()
      .meta({ description: 'Why a call with this response would fail; null if it would not' }),
  })
  .meta({ id: 'ToolResponsePreview' });

export type ToolResponsePreview = z.infer<typeof toolResponsePreview>;
