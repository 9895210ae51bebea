// Hears from Sentinels that another Redis is the master. ioredis can do so itself (failoverDetector), but nothing can listen to the
// errors of its connections there: it prints each Sentinel that is away.

import type { Redis } from 'ioredis';
import type { SentinelUrl } from '../config/redis-url.ts';

const CHANNEL = '+switch-master';
const CONNECT_WITHIN_MS = 500;
const RETRY_AFTER_MS = 1_000;
const KEEP_ALIVE_MS = 10_000;

/** One connection to each Sentinel, made again for as long as it takes. Every Sentinel reports, each when it knows. */
export function watchSentinels(
  Client: typeof Redis,
  { sentinels, name, sentinel_password, is_tls }: SentinelUrl,
  onSwitch: () => void,
): { close(): void } {
  const clients = sentinels.map((sentinel) => {
    const client = new Client({
      ...sentinel,
      ...(sentinel_password === null ? {} : { password: sentinel_password }),
      ...(is_tls ? { tls: {} } : {}),
      lazyConnect: true,
      connectTimeout: CONNECT_WITHIN_MS,
      keepAlive: KEEP_ALIVE_MS,
      enableReadyCheck: false,
      // The subscription waits for a connection, and is repeated on each.
      maxRetriesPerRequest: null,
      retryStrategy: () => RETRY_AFTER_MS,
    });
    client.on('error', () => {}); // it is tried again, and the others report too
    client.on('message', (_channel, message) => {
      if (message.split(' ')[0] === name) onSwitch();
    });
    client.subscribe(CHANNEL).catch(() => {}); // closed before it was connected
    return client;
  });
  return {
    close() {
      for (const client of clients) client.disconnect();
    },
  };
}
