// Reads a response with Node's own HTTP client, as a reference for outbound/http1.

import { Agent, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';

export type NodeReading = {
  status: number;
  headers: Record<string, string | undefined>;
  body: string;
  /** Node used the connection again for the next request. */
  is_reused: boolean;
};

/** Only reached if Node waits for more bytes than the response has: the test fails then. */
const GIVE_UP_MS = 2_000;

/** Starts an origin. Its `read` returns what Node's client makes of these bytes; `close` ends the origin. */
export async function startNodeReader() {
  let bytes: Buffer = Buffer.alloc(0);
  let staysOpen = false;
  const origin = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => (staysOpen ? socket.write(bytes) : socket.end(bytes)));
    socket.setTimeout(GIVE_UP_MS, () => socket.destroy());
  });
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
  const { port } = origin.address() as AddressInfo;

  /** `stays_open`: the origin does not close the connection after these bytes. */
  async function read(given: Buffer, method: string, stays_open: boolean): Promise<NodeReading | 'refused'> {
    bytes = given;
    staysOpen = stays_open;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const options = { host: '127.0.0.1', port, method, agent, insecureHTTPParser: false };
    try {
      const reading = await readOne(options);
      if (reading === 'refused' || !stays_open) return reading;
      await new Promise(setImmediate); // the agent gets its connection back
      return { ...reading, is_reused: await isReused(options) };
    } finally {
      agent.destroy();
    }
  }

  return { read, close: () => origin.close() };
}

function readOne(options: object): Promise<NodeReading | 'refused'> {
  return new Promise((resolve) => {
    const refuse = () => resolve('refused');
    const sent = request(options, (response) => {
      let body = '';
      response.setEncoding('latin1').on('error', refuse);
      response.on('data', (part: string) => {
        body += part;
      });
      response.on('end', () => resolve(response.complete ? describe(response, body) : 'refused'));
    });
    sent.on('error', refuse).on('upgrade', (_response, socket) => {
      socket.destroy();
      refuse();
    });
    sent.end();
  });
}

function describe({ statusCode = 0, headers }: IncomingMessage, body: string): NodeReading {
  const { 'content-type': type, 'retry-after': retry, 'cache-control': cache, 'content-encoding': encoding } = headers;
  return {
    status: statusCode,
    headers: { 'content-type': type, 'retry-after': retry, 'cache-control': cache, 'content-encoding': encoding },
    body,
    is_reused: false,
  };
}

function isReused(options: object): Promise<boolean> {
  return new Promise((resolve) => {
    const next = request(options);
    next
      .on('error', () => {})
      .on('socket', () => {
        resolve(next.reusedSocket);
        next.destroy();
      });
  });
}
