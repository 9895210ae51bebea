import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { waitUntil } from '../../../../../test/support/wait-until.ts';
import { createAppState } from '../../../../app-state.ts';
import { type ApiResponse, type Form, type Rendered, render, valueText } from './render.ts';
import { renderParts, renderValue } from './render-off-thread.ts';

const app = createAppState();
after(() => app.close());

const LARGE = 100_000;

/** Every form of every kind of body, each as often as asked for. */
const cases = (['value', 'text', 'bytes'] as Form[]).flatMap((form) =>
  [
    { content_type: 'application/json', text: JSON.stringify({ text: 'é\u0000"\\'.repeat(LARGE) }) },
    { content_type: 'application/json', text: '['.repeat(LARGE) },
    { content_type: 'application/json; charset=latin1', text: `["${'ü'.repeat(LARGE)}"]` },
    { content_type: 'text/plain', text: '\ud83d\ude00\n'.repeat(LARGE) },
    { content_type: null, text: '\u0000'.repeat(LARGE) },
  ].flatMap(({ content_type, text }) =>
    [false, true].map((truncated) => ({
      form,
      make: () => ({
        content_type,
        truncated,
        body: Buffer.from(text, 'utf8').subarray(0, truncated ? -1 : undefined),
      }),
    })),
  ),
);
const binary = () => ({ content_type: null, truncated: false, body: Buffer.alloc(LARGE, 0xff) });

const renderResponse = async (key: string, form: Form, response: ApiResponse): Promise<Rendered<string> | string> => {
  if (form === 'value') return Buffer.from(await renderValue(app, key, response)).toString();
  const rendered = Object.entries(await renderParts(app, key, form, response));
  const textOf = (part: string | Uint8Array | null) => (part === null ? null : Buffer.from(part).toString());
  return Object.fromEntries(rendered.map(([name, part]) => [name, textOf(part)])) as Rendered<string>;
};
const renderHere = (form: Form, response: ApiResponse): Rendered<string> | string =>
  form === 'value' ? valueText(render(form, response)) : render(form, response);

/** The memory of a body that was handed over has no bytes left. */
const isHandedOver = ({ body }: { body: Buffer }) => body.buffer.byteLength === 0;

/** Responses are rendered at once until the thread is there. */
async function untilThreadIsReady(): Promise<void> {
  const isReady = async () => {
    const response = binary();
    await renderResponse('org_0', 'bytes', response);
    return isHandedOver(response);
  };
  await waitUntil(isReady, 30_000, 'the thread is ready');
}

test('a large response is rendered by a thread, exactly as a small one would be', async () => {
  await untilThreadIsReady();
  for (const { form, make } of [...cases, { form: 'value' as const, make: binary }]) {
    const response = make();
    assert.deepEqual(await renderResponse('org_1', form, response), renderHere(form, make()));
    assert.ok(isHandedOver(response));
  }
});

test('a large response with a short text is rendered by the thread, too', async () => {
  await untilThreadIsReady();
  const make = () => ({
    content_type: 'text/plain; charset=utf-16le',
    truncated: false,
    body: Buffer.from('é'.repeat(20_000), 'utf16le'),
  });
  for (const form of ['value', 'text', 'bytes'] as Form[])
    assert.deepEqual(await renderResponse('org_1', form, make()), renderHere(form, make()));
});

test('the main thread gets the text of a large response as bytes', async () => {
  await untilThreadIsReady();
  const { quoted } = await renderParts(app, 'org_1', 'text', {
    content_type: null,
    truncated: false,
    body: Buffer.alloc(LARGE, 'x'),
  });
  assert.ok(quoted instanceof Uint8Array);
});

test('a large result that has functions beside its answer is rendered by the thread, too', async () => {
  await untilThreadIsReady();
  const result = { ...binary(), tool: { checkOutput: () => null } };
  await renderValue(app, 'org_1', result);
  assert.ok(isHandedOver(result));
});

test('a small response is rendered at once, and keeps its memory', async () => {
  const response = { content_type: 'application/json', truncated: false, body: Buffer.from('{"a": 1.0}') };
  assert.equal(await renderValue(app, 'org_1', response), '{"a": 1.0}');
  assert.equal(response.body.toString(), '{"a": 1.0}');
});

test('many large responses of one organization delay that of another by one only', async () => {
  await untilThreadIsReady();
  const order: string[] = [];
  const start = async (key: string) => {
    await renderResponse(key, 'value', binary());
    order.push(key);
  };
  await Promise.all([...Array.from({ length: 10 }, () => start('org_1')), start('org_2')]);
  assert.equal(order.indexOf('org_2'), 2);
});
