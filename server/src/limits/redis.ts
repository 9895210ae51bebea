// The connection to Redis or Valkey. A request never waits long for a response (redis-responses.ts). A connection without responses is
// replaced.

import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { parseSentinelUrl, type SentinelUrl } from '../config/redis-url.ts';
import { createResponses, LOST_AFTER_MS } from './redis-responses.ts';
import { watchSentinels } from './sentinel-watch.ts';

const RETRY_AFTER_MS = 500;
const CONNECT_WITHIN_MS = 1_000;
const LOG_EVERY_MS = 10_000;

export type Script = { text: string; sha: string };

export type RedisConnection = {
  /** Runs the script. Resolves to null when there is no response in time; `onResponse` gets a response that comes later too. */
  run(
    script: Script,
    key: string,
    values: (string | number)[],
    onResponse?: (response: number[]) => void,
  ): Promise<number[] | null>;
  /** Whether there is a connection on which Redis has counted. */
  isUp(): boolean;
  close(): Promise<void>;
};

export const defineScript = (text: string): Script => ({ text, sha: createHash('sha1').update(text).digest('hex') });

export type RedisOptions = {
  url: string;
  /** How long a request waits for a response. */
  timeout_ms: number;
  scripts: Script[];
  /** A script that writes, with a key and values that change no count: a new connection is used once it has run. */
  probe: { script: Script; key: string; values: (string | number)[] };
  log: Pick<Logger, 'info' | 'warn'>;
};

/** Waits for the first connection, but not long: without Redis the server starts too. */
export async function connectRedis(options: RedisOptions): Promise<RedisConnection> {
  const { timeout_ms, log } = options;
  // Only for servers that have a Redis: loading it takes some 5 % of a start. Before the wait, which is for the network.
  const { Redis: Client } = await import('ioredis');
  const closing = new AbortController();
  let client: Redis | null = null;
  let connecting: Promise<void> | null = null;
  let connected_at = Number.NEGATIVE_INFINITY;
  let logged_at = Number.NEGATIVE_INFINITY;

  function logAway(reason: unknown): void {
    if (performance.now() - logged_at < LOG_EVERY_MS) return;
    logged_at = performance.now();
    log.warn({ err: reason }, 'Redis is unavailable: this process counts the limits alone');
  }

  function disconnect(reason: unknown): void {
    if (client === null) return;
    logAway(reason);
    client.disconnect();
    client = null;
    responses.failAll();
    reconnect();
  }
  const responses = createResponses(timeout_ms, () => disconnect(new Error('no response')));

  function reconnect(): void {
    connecting ??= connectUntilUp().finally(() => {
      connecting = null;
    });
  }

  const pause = () => sleep(RETRY_AFTER_MS, undefined, { signal: closing.signal }).catch(() => {});

  async function connectUntilUp(): Promise<void> {
    // At once after a single slow response, but not again and again.
    if (performance.now() - connected_at < RETRY_AFTER_MS) await pause();
    while (!closing.signal.aborted) {
      try {
        return use(await openClient(Client, options, closing.signal));
      } catch (error) {
        if (!closing.signal.aborted) logAway(error);
      }
      await pause();
    }
  }

  function use(opened: Redis): void {
    client = opened;
    connected_at = performance.now();
    opened.once('close', () => {
      if (client === opened) disconnect(new Error('the connection was closed'));
    });
    log.info('Redis counts the limits');
  }

  const sentinel = parseSentinelUrl(options.url);
  const watch =
    sentinel && watchSentinels(Client, sentinel, () => disconnect(new Error('another Redis is the master')));
  reconnect();
  await Promise.race([connecting, sleep(CONNECT_WITHIN_MS)]);
  if (client === null) logAway(new Error('no connection'));
  return {
    isUp: () => client !== null,
    async run(script, key, values, onResponse) {
      if (client === null) return null;
      return responses.add(evaluate(client, script, key, values), { onResponse, onError: disconnect });
    },
    async close() {
      closing.abort();
      watch?.close();
      await connecting;
      const open = client;
      client = null;
      open?.disconnect();
      responses.failAll();
    },
  };
}

async function evaluate(client: Redis, script: Script, key: string, values: (string | number)[]): Promise<number[]> {
  try {
    return (await client.evalsha(script.sha, 1, key, ...values)) as number[];
  } catch (error) {
    // Redis forgets its scripts by SCRIPT FLUSH, but not its counts. EVAL also makes it know the script again.
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    return (await client.eval(script.text, 1, key, ...values)) as number[];
  }
}

/** The master is asked for with each connection. */
const ofSentinel = ({ username, password, sentinel_password, is_tls, ...master }: SentinelUrl) => ({
  ...master,
  ...(username === null ? {} : { username }),
  ...(password === null ? {} : { password }),
  ...(sentinel_password === null ? {} : { sentinelPassword: sentinel_password }),
  ...(is_tls ? { tls: {}, enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
  // connectRedis() tries again.
  sentinelRetryStrategy: () => null,
});

/** Fails unless Redis has the scripts and counts: a replica responds too, but takes no writes. */
async function openClient(
  Client: typeof Redis,
  { url, scripts, probe, timeout_ms }: RedisOptions,
  closing: AbortSignal,
): Promise<Redis> {
  const options = {
    lazyConnect: true,
    connectTimeout: 500,
    commandTimeout: 2 * (timeout_ms + LOST_AFTER_MS),
    disconnectTimeout: 100,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    enableReadyCheck: false,
    autoResendUnfulfilledCommands: false,
    // A connection is not repaired, but replaced.
    retryStrategy: null,
    connectionName: 'toolgate',
  };
  const sentinel = parseSentinelUrl(url);
  const client = sentinel === null ? new Client(url, options) : new Client({ ...ofSentinel(sentinel), ...options });
  let reason: unknown;
  client.on('error', (error) => {
    reason = error; // the rejected promises say only that the connection is closed
  });
  const close = () => client.disconnect();
  closing.addEventListener('abort', close);
  const timer = setTimeout(close, CONNECT_WITHIN_MS);
  try {
    await client.connect();
    for (const { text } of scripts) await client.script('LOAD', text);
    await evaluate(client, probe.script, probe.key, probe.values);
    return client;
  } catch (error) {
    client.disconnect();
    throw reason ?? error;
  } finally {
    clearTimeout(timer);
    closing.removeEventListener('abort', close);
  }
}
