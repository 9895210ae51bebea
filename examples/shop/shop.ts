// The shop's HTTP server. Each request is verified with the SDK before anything else is done with it.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { SignatureError, verifyToolRequest, verifyWebhook, type WebhookEvent } from '../../sdk/src/index.ts';
import { createOrders } from './orders.ts';
import { type ApiResponse, type ToolRoute, toolRoutes } from './tool-routes.ts';

export type ShopSettings = {
  /** The `auth_secret` of the tools. */
  tool_secret: string;
  /** The secret that toolgate returned for the webhook, `whsec_…`. */
  webhook_secret: string;
  log(line: string): void;
  /** Called with a verified event. Return at once: toolgate waits for the answer. */
  onEvent(event: WebhookEvent): void;
};

export const WEBHOOK_PATH = '/webhooks/toolgate';
const MAX_BODY_BYTES = 1024 * 1024;

/** Give it to `https.createServer`. */
export function createShop(settings: ShopSettings): RequestListener {
  const routes = toolRoutes(createOrders());
  return (request, response) => {
    respond(settings, routes, request)
      .catch((error: unknown) => refusal(settings, error))
      .then((result) => send(response, result))
      .catch(() => response.destroy());
  };
}

async function respond(
  settings: ShopSettings,
  routes: ReadonlyMap<string, ToolRoute>,
  request: IncomingMessage,
): Promise<ApiResponse> {
  const { method = '', url = '', headers } = request;
  const body = await readBody(request); // the raw bytes: they are what is signed
  if (url === WEBHOOK_PATH) {
    const event = await verifyWebhook({ secret: settings.webhook_secret, headers, body });
    settings.onEvent(event);
    return { status: 204 };
  }
  const context = await verifyToolRequest({ secret: settings.tool_secret, method, url, headers, body });
  const { memberId: user_id, requestId: request_id } = context;
  const { pathname, searchParams } = new URL(url, 'https://shop.invalid');
  settings.log(
    `${method} ${pathname}: signature verified, for ${user_id === null ? 'nobody' : `the member ${user_id}`}`,
  );
  const route = routes.get(`${method} ${pathname}`);
  return route ? route({ user_id, request_id, query: searchParams, body }) : { status: 404 };
}

function refusal({ log }: ShopSettings, error: unknown): ApiResponse {
  if (error instanceof SignatureError) {
    log(`refused with 401: ${error.message}`);
    return { status: 401, body: { reason: error.reason } };
  }
  log(`failed: ${String(error)}`);
  return { status: 500 };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY_BYTES) throw new Error('the body is too large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function send(response: ServerResponse, { status, body }: ApiResponse): void {
  if (body === undefined) response.writeHead(status).end();
  else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
