// Whether the Redis of REDIS_URL responds.

import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type Check, ok, warn } from './check-result.ts';

const RESPONSE_WITHIN_MS = 3_000;

export async function checkRedis(text: string | null): Promise<Check> {
  if (text === null) return ok('redis', 'not configured');
  const url = URL.parse(text);
  if (!url) return warn('redis', 'REDIS_URL is not a URL', 'unset REDIS_URL');
  const port = Number(url.port || 6379);
  const place = `${url.hostname}:${port}`;
  const target = { host: url.hostname.replace(/^\[|\]$/g, ''), port };
  const socket = url.protocol === 'rediss:' ? connectTls({ ...target, servername: target.host }) : connectTcp(target);
  try {
    const response = await exchange(socket, `${authentication(url)}${command('PING')}`);
    if (/\+PONG\r\n/.test(response)) return ok('redis', `${place} answers`);
    const refusal = /^-(.*)\r$/m.exec(response)?.[1] ?? 'it is not Redis';
    return warn(
      'redis',
      `${place} refuses: ${refusal.slice(0, 100)}`,
      'set REDIS_URL with the correct user and password',
    );
  } catch (error) {
    const fix = `redis-cli -h ${target.host} -p ${port} ping`;
    return warn('redis', `${place} does not respond: ${(error as Error).message}`, fix);
  } finally {
    socket.destroy();
  }
}

function authentication({ username, password }: URL): string {
  if (!password) return '';
  const words = [username, password].filter(Boolean).map(decodeURIComponent);
  return command('AUTH', ...words);
}

const command = (...words: string[]) =>
  `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;

/** Writes the text, and reads until Redis returned PONG or refused. */
function exchange(socket: Socket, text: string): Promise<string> {
  return new Promise((done, failed) => {
    let response = '';
    socket.setTimeout(RESPONSE_WITHIN_MS, () => failed(new Error('no response')));
    socket.on('error', failed);
    socket.on('close', () => failed(new Error('the connection was closed')));
    socket.setEncoding('utf8').on('data', (part: string) => {
      response += part;
      if (/\+PONG\r\n|^-.*\r\n/m.test(response) || response.length > 1_000) done(response);
    });
    socket.write(text);
  });
}
