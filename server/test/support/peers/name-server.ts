// A DNS server on loopback (RFC 1035) for tests: it responds for some names, and not at all for others.

import { createSocket } from 'node:dgram';
import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

const A = 1;
const TXT = 16;
const AAAA = 28;
const HEADER_BYTES = 12;
const TTL_S = 60;

export type NameServer = {
  /** In the format of `Resolver.setServers`. */
  address: string;
  /** Every question, as `A name`, `AAAA name` or `TXT name`. */
  questions: string[];
  /** Resolves once there are `count` questions. */
  waitForQuestions(count: number): Promise<void>;
  close(): Promise<void>;
};

/** The addresses of each name, and its texts; a name without any gets an empty response. */
export async function startNameServer(
  names: Record<string, string[]>,
  texts: Record<string, string[]> = {},
): Promise<NameServer> {
  const questions: string[] = [];
  const asked = new EventTarget();
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const { name, type, end } = readQuestion(message);
    questions.push(`${type === A ? 'A' : type === TXT ? 'TXT' : 'AAAA'} ${name}`);
    asked.dispatchEvent(new Event('question'));
    const question = message.subarray(0, end);
    if (type === TXT) {
      socket.send(response(question, (texts[name] ?? []).map(textRecord)), port, address);
      return;
    }
    const known = names[name];
    if (known === undefined) return;
    const family = type === A ? 4 : 6;
    const addresses = known.filter((each) => isIP(each) === family);
    socket.send(response(question, addresses.map(addressRecord)), port, address);
  });
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    async waitForQuestions(count) {
      while (questions.length < count)
        await new Promise((done) => asked.addEventListener('question', done, { once: true }));
    },
    close: () => new Promise((done) => socket.close(done)),
  };
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function response(question: Buffer, records: Buffer[]): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180, 2); // a response, recursion available, no error
  head.writeUInt16BE(records.length, 6);
  head.fill(0, 8, HEADER_BYTES); // no other sections
  return Buffer.concat([head, ...records]);
}

const addressRecord = (address: string) =>
  record(isIPv4(address) ? A : AAAA, Buffer.from(ipaddr.parse(address).toByteArray()));

/** In parts of at most 255 bytes, each with its length before it. */
function textRecord(text: string): Buffer {
  const parts = text.match(/[\s\S]{1,255}/g) ?? [''];
  return record(
    TXT,
    Buffer.concat(parts.map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)]))),
  );
}

function record(type: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc000 + HEADER_BYTES, 0); // the name in the question
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(TTL_S, 6);
  head.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([head, bytes]);
}
