// The tools the conformance suite asks for by name, as tools of an MCP server on the official SDK.

import type { UpstreamCall, UpstreamTool } from '../support/peers/mcp-upstream.ts';

export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
export const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';

const text = (said: string) => ({ content: [{ type: 'text', text: said }] });
const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const embedded = (uri: string, mimeType: string, said: string) => ({
  type: 'resource',
  resource: { uri, mimeType, text: said },
});
const ask = (key: string, message: string, field: string, requestState?: string) => {
  const requestedSchema = { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] };
  const request = { method: 'elicitation/create', params: { message, requestedSchema } };
  return { resultType: 'input_required', inputRequests: { [key]: request }, ...(requestState && { requestState }) };
};
const contentOf = ({ params }: UpstreamCall, key: string) => (params.inputResponses as any)?.[key]?.content;

const tool = (name: string, run: UpstreamTool['run'], schema: object = {}): UpstreamTool => ({
  definition: { name, description: `For ${name}`, inputSchema: { type: 'object', ...schema } },
  run,
});

async function reportProgress({ meta, progress }: UpstreamCall): Promise<object> {
  if (meta.progressToken !== undefined) for (const done of [0, 50, 100]) await progress(done, 100);
  return text('Done');
}

function askTwice(call: UpstreamCall): object {
  if (call.params.requestState === 'round-2' && contentOf(call, 'step2')) return text('Thank you');
  if (call.params.requestState === 'round-1' && contentOf(call, 'step1'))
    return ask('step2', 'Step 2: What is your favorite color?', 'color', 'round-2');
  return ask('step1', 'Step 1: What is your name?', 'name', 'round-1');
}

/** `onChange`: the tools of the project are to change. */
export const conformanceTools = (schemas: Record<string, object>, onChange: () => void): UpstreamTool[] => [
  tool('test_simple_text', () => text('This is a simple text response for testing.')),
  tool('test_image_content', () => ({ content: [image] })),
  tool('test_audio_content', () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] })),
  tool('test_embedded_resource', () => ({
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  })),
  tool('test_multiple_content_types', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  })),
  tool('test_tool_with_progress', reportProgress),
  tool('test_error_handling', () => ({
    isError: true,
    ...text('This tool intentionally returns an error for testing'),
  })),
  tool('test_input_required_result_elicitation', (call) => {
    const name = contentOf(call, 'user_name')?.name;
    return typeof name === 'string' ? text(`Hello, ${name}!`) : ask('user_name', 'What is your name?', 'name');
  }),
  tool('test_input_required_result_request_state', (call) =>
    call.params.requestState === 'opaque' ? text('state-ok') : ask('confirm', 'Please confirm', 'ok', 'opaque'),
  ),
  tool('test_input_required_result_tampered_state', (call) =>
    call.params.requestState === 'opaque' ? text('ok') : ask('confirm', 'Please confirm', 'ok', 'opaque'),
  ),
  tool('test_input_required_result_multi_round', askTwice),
  tool('test_streaming_elicitation', () => text('ok')),
  tool('test_logging_tool', () => text('ok')),
  tool('test_trigger_tool_change', () => {
    onChange();
    return text('changed');
  }),
  ...Object.entries(schemas).map(([name, schema]) => tool(name, () => text('ok'), schema)),
];
