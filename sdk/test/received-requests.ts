// The requests of vectors/ in the form that verifyToolRequest and verifyWebhook take.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, '../../vectors', name), 'utf8'));

type ToolVector = {
  name: string;
  secret: string;
  request: {
    method: string;
    host: string;
    path: string;
    query: string;
    headers: Record<string, string>;
    body?: string;
    body_base64?: string;
  };
  canonical_string: string;
  reason: 'missing' | 'window' | 'different';
};

type WebhookVector = {
  name: string;
  body: string;
  secret: string;
  previous_secret: string | null;
  timestamp: number;
  headers: Record<string, string>;
};

export const toolVectors: { now: number; accepted: ToolVector[]; refused: ToolVector[] } = read('tool-signature.json');
export const webhookVectors: { cases: WebhookVector[] } = read('webhook-signature.json');

export function toolRequest({ secret, request }: ToolVector) {
  const { method, host, path, query, headers, body, body_base64 } = request;
  return {
    secret,
    method,
    url: `${path}${query ? `?${query}` : ''}`,
    headers: { host, ...headers } as Record<string, string>,
    body: body_base64 === undefined ? (body ?? '') : new Uint8Array(Buffer.from(body_base64, 'base64')),
  };
}
