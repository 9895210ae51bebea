// Bytes that are the same for everybody: compressed once, sent with an ETag, and not sent at all to a client that has them.

import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gunzipSync, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export type StaticFile = {
  content_type: string;
  cache_control: string;
  /** Differs when its bytes do; without quotes. */
  tag: string;
  /** `identity` is null if it is made from `gzip`, for the few clients that want it. */
  bodies: { identity: Buffer | null; br: Buffer | null; gzip: Buffer | null };
};

export type StaticText = { text: string; content_type: string; cache_control: string };

/** A level above costs ten times the time and saves 5 % of the bytes. */
const BROTLI_QUALITY = 9;
const TAG_LENGTH = 22;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

export const tagOf = (bytes: Buffer): string => hash('sha256', bytes, 'base64url').slice(0, TAG_LENGTH);

/** Compresses in another thread. */
async function makeStaticFile({ text, content_type, cache_control }: StaticText): Promise<StaticFile> {
  const identity = Buffer.from(text);
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const [br, gzip] = await Promise.all([compressBrotli(identity, { params }), compressGzip(identity)]);
  return { content_type, cache_control, tag: tagOf(identity), bodies: { identity, br, gzip } };
}

/**
 * The handler of a route that always sends the same text. `make` runs at the first request, so that the start does not wait for
 * it. `headers` are added to the response.
 */
export function staticText(make: () => StaticText | Promise<StaticText>, headers: Record<string, string> = {}) {
  let making: Promise<StaticFile> | undefined;
  const makeOnce = async () => {
    try {
      return await makeStaticFile(await make());
    } catch (error) {
      // The next request tries again.
      making = undefined;
      throw error;
    }
  };
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    making ??= makeOnce();
    return sendStaticFile(request, reply.headers(headers), await making);
  };
}

export function sendStaticFile(request: FastifyRequest, reply: FastifyReply, file: StaticFile): FastifyReply {
  const { content_type, cache_control, tag, bodies } = file;
  const coding = chooseCoding(request.headers['accept-encoding'], bodies);
  const vary = reply.getHeader('vary');
  reply.headers({
    'content-type': content_type,
    'cache-control': cache_control,
    etag: quoteTag(tag, coding),
    vary: vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`,
  });
  if (reply.statusCode === 200 && hasTag(request.headers['if-none-match'], tag)) return reply.code(304).send();
  if (coding === 'identity') return reply.send(bodies.identity ?? gunzipSync(bodies.gzip ?? ''));
  return reply.header('content-encoding', coding).send(bodies[coding]);
}

type Coding = keyof StaticFile['bodies'];

/** RFC 9110 8.8.3.3: a compressed body has another tag than the same body without compression. */
const quoteTag = (tag: string, coding: Coding) => (coding === 'identity' ? `"${tag}"` : `"${tag}-${coding}"`);

function chooseCoding(accepted: string | string[] | undefined, bodies: StaticFile['bodies']): Coding {
  const codings = new Set<string>();
  for (const part of listOf(accepted)) {
    const [coding = '', ...parameters] = part.split(';').map((word) => word.trim());
    if (!parameters.some((parameter) => /^q=0(?:\.0*)?$/i.test(parameter))) codings.add(coding.toLowerCase());
  }
  if (bodies.br && codings.has('br')) return 'br';
  return bodies.gzip && codings.has('gzip') ? 'gzip' : 'identity';
}

/** Whatever it was compressed with. A proxy that compresses a body itself makes its tag a weak one. */
function hasTag(known: string | undefined, tag: string): boolean {
  const tags = new Set(['*', ...(['identity', 'br', 'gzip'] as const).map((coding) => quoteTag(tag, coding))]);
  return listOf(known).some((part) => tags.has(part.trim().replace(/^W\//, '')));
}

const listOf = (header: string | string[] | undefined): string[] =>
  header === undefined ? [] : String(header).split(',');
