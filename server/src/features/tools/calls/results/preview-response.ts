// POST /custom-tools/{id or name}/preview-response: what a `response` that is not saved yet would leave of a response. The same code
// shapes it as in a call; nothing is sent or stored.

import { createHash } from 'node:crypto';
import type {
  ToolResponsePreview,
  ToolResponsePreviewRequest,
} from '@toolgate/contract/custom-tools/tool-response-preview.ts';
import { type Caller, permitUser, projectOf } from '../../../../access/caller.ts';
import type { App } from '../../../../app.ts';
import { type ApiError, refuse } from '../../../../errors/errors.ts';
import { estimateTokens } from '../../../../shaping/compile.ts';
import { requireTool } from '../../catalogue/find.ts';
import { withoutArguments } from '../../catalogue/fixed-arguments.ts';
import { checkResponse } from '../../catalogue/response-rules.ts';
import { definitionOf } from '../../catalogue/tool.ts';
import { truncationText } from './narrowing.ts';
import { shapeIn } from './render-off-thread.ts';
import { shapingOf, UNSHAPED } from './shape-body.ts';
import { tooLarge } from './shape-result.ts';

export async function previewResponse(
  app: App,
  caller: Caller,
  tool_id: string,
  { body, response }: ToolResponsePreviewRequest,
): Promise<ToolResponsePreview> {
  const project = projectOf(caller);
  // Not for longer: shaping a large response waits for a thread.
  const read = () => requireTool(app.database, project.id, tool_id);
  const row = await (caller.kind === 'root' ? read() : app.permits.run(permitUser(caller), read));
  const definition = { ...definitionOf(row), response };
  checkResponse(definition);
  const bytes = Buffer.from(body);
  const result_tokens = estimateTokens(bytes.length);
  // Rules that are tried out do not replace those of tools in the cache of the thread: each is compiled under its own key.
  const key = `preview ${createHash('sha256').update(JSON.stringify(response)).digest('hex')}`;
  const shaping = response === null ? UNSHAPED : shapingOf(key, response);
  const shaped = await shapeIn(app, project.fairness_key, shaping, {
    content_type: null,
    body: bytes,
    truncated: false,
  });
  const input_schema = withoutArguments(definition.input_schema, new Set(Object.keys(definition.fixed_arguments)));
  if (shaped.kind !== 'shaped')
    return refused(
      shaped.kind === 'too_large' ? tooLarge(input_schema, shaping.response) : refuse.resultNotShaped(),
      result_tokens,
    );
  const { is_json, is_cut, truncation } = shaped;
  return {
    ...{ object: 'tool_response_preview', body: Buffer.from(shaped.body).toString(), is_json },
    ...{ truncated: is_cut, truncation, truncation_text: truncation && truncationText(truncation, input_schema) },
    ...{ result_tokens, shaped_tokens: estimateTokens(shaped.body.byteLength), problem: null },
  };
}

function refused({ code, message, remedy }: ApiError, result_tokens: number): ToolResponsePreview {
  return {
    ...{ object: 'tool_response_preview', body: null, is_json: false },
    ...{ truncated: false, truncation: null, truncation_text: null },
    ...{ result_tokens, shaped_tokens: null, problem: { code, message, remedy } },
  };
}
