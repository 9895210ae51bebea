// The tools the conformance suite asks for by name, registered like any customer's and answered by a customer's API.

import { after } from 'node:test';
import { expectResponse } from '../support/make/make.ts';
import type { Customer, CustomerResponse } from '../support/peers/fake-customer.ts';
import type { TestServer } from '../support/servers/start-server.ts';
import { PNG, WAV } from './conformance-mcp-tools.ts';

type Tool = { input_schema?: object; confirm?: object; response?: CustomerResponse };

const media = (type: string, base64: string): CustomerResponse => ({
  headers: { 'content-type': type },
  body: Buffer.from(base64, 'base64'),
});

/** Tools that are about their schema. */
export const schemaTools: Record<string, object> = {
  test_missing_capability: { type: 'object', 'x-toolgate-client-capabilities': { sampling: {} } },
  test_x_mcp_header: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
  json_schema_2020_12_tool: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: the word is JSON Schema's
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  },
};

const tools: Record<string, Tool> = {
  test_simple_text: { response: { body: 'This is a simple text response for testing.' } },
  test_image_content: { response: media('image/png', PNG) },
  test_audio_content: { response: media('audio/wav', WAV) },
  test_embedded_resource: {
    response: media('application/pdf', Buffer.from('%PDF\xff\xfe', 'latin1').toString('base64')),
  },
  test_error_handling: { response: { status: 500, body: 'This tool intentionally returns an error for testing' } },
  test_streaming_elicitation: {},
  test_input_required_result_elicitation: { confirm: { by: 'user' } },
  test_input_required_result_request_state: { confirm: { by: 'user' }, response: { body: 'state-ok' } },
  test_input_required_result_tampered_state: { confirm: { by: 'user' } },
  test_logging_tool: {},
  test_trigger_tool_change: {},
  ...Object.fromEntries(Object.entries(schemaTools).map(([name, input_schema]) => [name, { input_schema }])),
};

export async function makeConformanceTools(server: TestServer, key: string, customer: Customer): Promise<void> {
  for (const [name, { input_schema, confirm, response }] of Object.entries(tools)) {
    if (response) customer.respond(`/${name}`, response);
    const place = { base_url: customer.url, endpoint_path: `/${name}` };
    const body = { name, description: `For ${name}`, ...place, input_schema, confirm };
    expectResponse(await server.api('POST', '/custom-tools', { key, body }), 201);
  }
  await makeTaskTools(server, key, customer);
  // As a customer's own software may change the tools of its project.
  let changes = 0;
  customer.respond('/test_trigger_tool_change', () => {
    changes += 1;
    const body = { description: `Changed ${changes} times` };
    server.api('PATCH', '/custom-tools/test_logging_tool', { key, body }).catch(() => {});
    return { body: 'changed' };
  });
}

const REQUIRES_TASKS = {
  type: 'object',
  'x-toolgate-client-capabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
};

/** Jobs of an API that take as long as the suite says. */
async function makeTaskTools(server: TestServer, key: string, customer: Customer): Promise<void> {
  let jobs = 0;
  const startJob = (path: string, seconds: number, end: object): CustomerResponse => {
    const [id, ends_at] = [++jobs, Date.now() + seconds * 1000];
    customer.respond(`${path}/${id}`, () => ({ body: Date.now() < ends_at ? { id, state: 'running' } : end }));
    return { status: 202, body: { id, state: 'running' } };
  };
  const argumentsOf = ({ body }: { body: Buffer }) => JSON.parse(body.toString()) as { name: string; seconds: number };
  const done = { state: 'done', output: 'computed' };
  customer.respond('/greet', (request) => ({ body: `Hello, ${argumentsOf(request).name}!` }));
  customer.respond('/confirm_delete', { body: 'deleted' });
  customer.respond('/slow_compute', (request) => {
    const { seconds } = argumentsOf(request);
    return seconds === 0 ? { body: done } : startJob('/slow_compute', seconds, done);
  });
  customer.respond('/failing_job', () => startJob('/failing_job', 1, { state: 'error', reason: 'it always fails' }));
  const followed = { status: 'state', done: ['done'], failed: ['error'], result: 'output', error: 'reason' };
  const polling = (path: string) => ({
    job_id: 'id',
    status_path: `${path}/{{job_id}}`,
    interval_seconds: 1,
    ...followed,
  });
  for (const [name, fields] of Object.entries({
    greet: {},
    confirm_delete: {},
    slow_compute: { polling: polling('/slow_compute') },
    failing_job: { polling: polling('/failing_job'), input_schema: REQUIRES_TASKS },
  })) {
    const place = { base_url: customer.url, endpoint_path: `/${name}` };
    const body = { name, description: `For ${name}`, ...place, ...fields };
    expectResponse(await server.api('POST', '/custom-tools', { key, body }), 201);
  }
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(() => server.runJobs()).catch(() => {});
  }, 250);
  after(() => {
    clearInterval(timer);
    return running;
  });
}
