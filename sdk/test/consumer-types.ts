// Sources of a customer, for the compiler. The second one states with @ts-expect-error what must not compile.

export const CONSUMER = `
import { type CustomTool, type List, RateLimitError, SignatureError, type StoredFile, Toolgate, sealSecret, signMemberAssertion, verifyToolRequest, verifyWebhook } from '@toolgate/sdk';

const toolgate = new Toolgate({ apiKey: 'k', baseUrl: 'http://127.0.0.1:3000', projectId: 'prj_1', fetch, maxRetries: 2, timeoutMs: 60_000 });

export async function resources(signal: AbortSignal): Promise<string[]> {
  const key = await toolgate.apiKeys.create({ name: 'Backend', permissions: ['read'] }, { signal, idempotencyKey: 'once' });
  const next = await toolgate.apiKeys.rotate(key.id, { overlap_seconds: 60 });
  const tools: List<CustomTool> = toolgate.customTools.list({ limit: 2, is_enabled: true });
  const names: string[] = [key.key, next.key];
  for await (const tool of tools) names.push(tool.name);
  const page = await tools;
  const cursor: string | null = page.nextCursor;
  const file: StoredFile = await toolgate.files.upload(new Uint8Array([1]), { name: 'a.bin' });
  const ran = await toolgate.customTools.execute('find_order', { order_id: 'A-1', scan: file.id });
  const returned: StoredFile | null = ran.file ?? null;
  const hook = await toolgate.webhooks.create({ url: 'https://example.com/hook', events: ['custom_tool.created'] });
  for await (const delivery of toolgate.webhooks.deliveries.list(hook.id)) await toolgate.webhooks.deliveries.redeliver(hook.id, delivery.id);
  return [...names, ran.call_id, returned?.sha256 ?? '', hook.secret, cursor ?? ''];
}

declare const request: { method: string; url: string; headers: Headers; arrayBuffer(): Promise<ArrayBuffer> };
export async function offline(): Promise<string> {
  const { memberId } = await verifyToolRequest({ ...request, secret: ['new', 'old'], body: await request.arrayBuffer() });
  const event = await verifyWebhook({ secret: 'whsec_x', headers: request.headers, body: '{}' });
  if (event.type === 'tool_call.failed') return event.data.tool_name;
  const privateKey = await crypto.subtle.importKey('raw', new Uint8Array(), 'Ed25519', false, ['sign']);
  const jwt = await signMemberAssertion({ privateKey, kid: 'k', algorithm: 'Ed25519', projectId: 'p', memberId: memberId ?? 'm' });
  return jwt + (await sealSecret({ publicKey: (await toolgate.customTools.encryptionKey()).jwk, secret: 's' }));
}

export function explain(error: unknown): string {
  if (error instanceof RateLimitError) return String(error.retryAfterSeconds);
  if (error instanceof SignatureError) return error.reason satisfies 'missing_header' | 'malformed' | 'expired' | 'mismatch';
  return '';
}
`;

export const REFUSED = `
import { Toolgate, signMemberAssertion } from '@toolgate/sdk';
// @ts-expect-error the key is missing
new Toolgate({ baseUrl: 'http://127.0.0.1:3000' });
// @ts-expect-error an option that does not exist
new Toolgate({ apiKey: 'k', baseUrl: 'http://127.0.0.1:3000', retires: 3 });
declare const toolgate: Toolgate;
export async function wrong(): Promise<void> {
  const tool = await toolgate.customTools.get('tool_1');
  // @ts-expect-error a field that no tool has
  tool.require_membr;
  // @ts-expect-error a misspelt field
  await toolgate.customTools.create({ name: 'x', base_url: 'https://api.example.com', endpoint_path: '/x', require_membr: true });
  // @ts-expect-error there are four permissions
  await toolgate.apiKeys.create({ name: 'x', permissions: ['everything'] });
  // @ts-expect-error a filter that does not exist
  toolgate.customTools.list({ enabled: true });
  // @ts-expect-error a session is made from one of both
  await toolgate.memberSessions.create({});
  // @ts-expect-error a registered key is not changed
  toolgate.assertionKeys.update;
  // @ts-expect-error not an algorithm of ours
  await signMemberAssertion({ privateKey: 'PEM', kid: 'k', algorithm: 'HS256', projectId: 'p', memberId: 'm' });
}
`;
