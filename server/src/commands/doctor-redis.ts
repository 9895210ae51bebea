// Whether the Redis of REDIS_URL responds.

import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { parseSentinelUrl, type SentinelUrl } from '../config/redis-url.ts';
import { type Check, ok, warn } from './check-result.ts';

const RESPONSE_WITHIN_MS = 3_000;

export async function checkRedis(text: string | null): Promise<Check> {
  if (text === null) return ok('redis', 'not configured');
  const sentinel = parseSentinelUrl(text);
  if (sentinel !== null) return checkSentinels(sentinel);
  const url = URL.parse(text);
  if (!url) return warn('redis', 'REDIS_URL is not a URL', 'unset REDIS_URL');
  const port = Number(url.port || 6379);
  const place = `${url.hostname}:${port}`;
  const target = { host: url.hostname.replace(/^\[|\]$/g, ''), port };
  const socket = url.protocol === 'rediss:' ? connectTls({ ...target, servername: target.host }) : connectTcp(target);
  try {
    const response = await exchange(socket, `${authentication(url)}${command('PING')}`);
    if (/\+PONG\r\n/.test(response)) return ok('redis', `${place} responds`);
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

/** The Sentinels that respond, and the master that they name. */
async function checkSentinels({ sentinels, name, is_tls, ...secrets }: SentinelUrl): Promise<Check> {
  const { Redis } = await import('ioredis');
  const masters = new Set<string>();
  const silent: string[] = [];
  for (const { host, port } of sentinels) {
    const client = new Redis({
      host,
      port,
      lazyConnect: true,
      connectTimeout: RESPONSE_WITHIN_MS,
      commandTimeout: RESPONSE_WITHIN_MS,
      enableReadyCheck: false,
      retryStrategy: null,
      ...(is_tls ? { tls: {} } : {}),
      ...(secrets.sentinel_password === null ? {} : { password: secrets.sentinel_password }),
    });
    client.on('error', () => {}); // the command fails
    try {
      await client.connect();
      const found = (await client.call('SENTINEL', 'get-master-addr-by-name', name)) as [string, string] | null;
      masters.add(found === null ? `none called ${name}` : found.join(':'));
    } catch {
      silent.push(`${host}:${port}`);
    } finally {
      client.disconnect();
    }
  }
  if (masters.size === 0)
    return warn(
      'redis',
      'no Sentinel responds, or their password is wrong',
      `redis-cli -p 26379 sentinel master ${name}`,
    );
  const message = `the Sentinels report ${[...masters].join(', and ')} as the master`;
  if (masters.size > 1 || [...masters].some((master) => master.startsWith('none')))
    return warn('redis', message, 'wait for the failover to finish, or correct the name in REDIS_URL');
  if (silent.length > 0)
    return warn('redis', `${message}; ${silent.join(', ')} does not respond`, 'start that Sentinel');
  const [master = ''] = masters;
  const { username, password } = secrets;
  const user = password === null ? '' : `${encodeURIComponent(username ?? '')}:${encodeURIComponent(password)}@`;
  const response = await checkRedis(`redis${is_tls ? 's' : ''}://${user}${master}`);
  return { ...response, message: `${message}; ${response.message}` };
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
