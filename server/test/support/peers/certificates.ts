// Creates X.509 certificates for tests as DER, without the openssl command or a dependency.

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export type Issued = { key: string; cert: string };

type IssueOptions = {
  /** For clients instead of for hosts. */
  for_client?: boolean;
  /** Epoch milliseconds; a day before and after now by default. */
  from?: number;
  to?: number;
  /** Its key; a new one by default. */
  keys?: { privateKey: KeyObject; publicKey: KeyObject };
  /** Whether it is for 127.0.0.1 too. */
  has_address?: boolean;
};

export type Authority = {
  /** The authority's own certificate, PEM. */
  certificate: string;
  /** A leaf for 127.0.0.1 and the given names, signed by this authority. */
  issue(names?: string[], options?: IssueOptions): Issued;
  /** An authority whose certificate this one signs. */
  issueAuthority(name: string): Authority;
};

type Signer = { key: KeyObject; name: Buffer; key_id: Buffer };

const DAY_MS = 86_400_000;
const TRUE = der(0x01, [0xff]);
const ECDSA_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));

export const makeAuthority = (name = 'toolgate test authority'): Authority => authorityOf(name, null);

/** `parent` null: it signs itself. */
function authorityOf(name: string, parent: Signer | null): Authority {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signer: Signer = { key: privateKey, name: commonName(name), key_id: keyIdOf(publicKey) };
  const certificate = certify(parent ?? signer, signer.name, publicKey, [
    extension('2.5.29.19', true, sequence(TRUE)), // basicConstraints: CA
    extension('2.5.29.15', true, der(0x03, [0x01, 0x06])), // keyUsage: keyCertSign, cRLSign
    extension('2.5.29.14', false, der(0x04, signer.key_id)), // subjectKeyIdentifier
    ...(parent ? [authorityKeyId(parent)] : []),
  ]);
  return {
    certificate,
    issue(names = [], options = {}) {
      const { for_client = false, has_address = true } = options;
      const keys = options.keys ?? generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const address = has_address ? [der(0x87, [127, 0, 0, 1])] : [];
      const subject = commonName(names[0] ?? '127.0.0.1');
      const purpose = for_client ? '1.3.6.1.5.5.7.3.2' : '1.3.6.1.5.5.7.3.1';
      const cert = certify(
        signer,
        subject,
        keys.publicKey,
        [
          extension('2.5.29.17', false, sequence(...address, ...names.map((dns) => der(0x82, Buffer.from(dns))))), // subjectAltName
          extension('2.5.29.37', false, sequence(oid(purpose))), // extendedKeyUsage
          authorityKeyId(signer),
        ],
        options,
      );
      return { key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert };
    },
    issueAuthority: (other) => authorityOf(other, signer),
  };
}

const authorityKeyId = ({ key_id }: Signer) => extension('2.5.29.35', false, sequence(der(0x80, key_id)));

function certify(
  { key: signing_key, name }: Signer,
  subject: Buffer,
  key: KeyObject,
  extensions: Buffer[],
  { from = Date.now() - DAY_MS, to = Date.now() + DAY_MS }: IssueOptions = {},
): string {
  const serial = randomBytes(16);
  serial[0] = 0x40 | (serial.readUInt8(0) & 0x3f); // positive, and no leading zero
  const body = sequence(
    der(0xa0, der(0x02, [2])), // version 3
    der(0x02, serial),
    ECDSA_SHA256,
    name,
    sequence(time(from), time(to)),
    subject,
    key.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const certificate = sequence(body, ECDSA_SHA256, bits(sign('sha256', body, signing_key)));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function der(tag: number, content: Buffer | number[]): Buffer {
  const body = Buffer.from(content);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const size = Buffer.from(body.length.toString(16).padStart(4, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x82]), size, body]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function bits(content: Buffer): Buffer {
  return der(0x03, Buffer.concat([Buffer.from([0]), content]));
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const base128 = (value: number, last = true): number[] => [
    ...(value > 0x7f ? base128(value >> 7, false) : []),
    (value & 0x7f) | (last ? 0 : 0x80),
  ];
  return der(0x06, [first * 40 + second, ...rest.flatMap((value) => base128(value))]);
}

function commonName(name: string): Buffer {
  return sequence(der(0x31, sequence(oid('2.5.4.3'), der(0x0c, Buffer.from(name)))));
}

function time(at: number): Buffer {
  const text = new Date(at).toISOString().replace(/[-:T]|\.\d+/g, ''); // 20261115021100Z
  return der(0x17, Buffer.from(text.slice(2)));
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  return sequence(oid(id), ...(critical ? [TRUE] : []), der(0x04, value));
}

function keyIdOf(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();
}
