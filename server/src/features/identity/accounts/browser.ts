// What the operations of accounts know of the request: the browser, and the cookie that it sent.

import type { FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import { type Browser, readSessionCookie } from './session.ts';

export function browserOf(app: App, { headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>): Browser {
  return {
    user_agent: headers['user-agent'] ?? null,
    ip,
    session_token: readSessionCookie(app, headers.cookie),
  };
}
