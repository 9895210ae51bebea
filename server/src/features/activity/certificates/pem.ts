// Reads the PEM of a certificate, and says what is wrong with it in words for people. No text is repeated: it may be a private key.

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

/** What is wrong with a field, as the end of a sentence that begins with its name. */
export class PemProblem extends Error {}

type Block = { label: string; text: string };

const BEGIN = '-----BEGIN ';
const DASHES = '-----';
const KEY = 'PRIVATE KEY';
/** Of one field: more than any chain or list of a company has. */
const MAX_CERTIFICATES = 200;
const MAX_CHAIN = 10;

/** Text between the blocks is ignored, as OpenSSL does: it often says what follows. */
function readBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  for (let at = text.indexOf(BEGIN); at !== -1; ) {
    const end_of_label = text.indexOf(DASHES, at + BEGIN.length);
    const label = end_of_label === -1 ? '' : text.slice(at + BEGIN.length, end_of_label);
    const end_line = `-----END ${label}${DASHES}`;
    const end = /^[A-Z0-9 ]{1,40}$/.test(label) ? text.indexOf(end_line, end_of_label) : -1;
    if (end === -1) throw new PemProblem('has a BEGIN line without its END line: it may be cut off');
    blocks.push({ label, text: text.slice(at, end + end_line.length) });
    at = text.indexOf(BEGIN, end + end_line.length);
  }
  return blocks;
}

/** One or more certificates, in the order of the text. */
export function readCertificates(text: string): X509Certificate[] {
  const blocks = readBlocks(text);
  if (blocks.some(({ label }) => label.endsWith(KEY)))
    throw new PemProblem('must not have a private key: send that as client_key');
  const other = blocks.find(({ label }) => label !== 'CERTIFICATE');
  if (other) throw new PemProblem(`must have certificates only, and has ${other.label}`);
  if (blocks.length === 0) throw new PemProblem('must be PEM: a certificate begins with -----BEGIN CERTIFICATE-----');
  if (blocks.length > MAX_CERTIFICATES) throw new PemProblem(`must have at most ${MAX_CERTIFICATES} certificates`);
  return blocks.map(({ text }, at) => {
    try {
      return new X509Certificate(text);
    } catch {
      throw new PemProblem(`has a certificate that cannot be read: number ${at + 1}`);
    }
  });
}

/** When the first of them ends, in epoch milliseconds. */
export const endOf = (certificates: readonly X509Certificate[]): number =>
  Math.min(...certificates.map(({ validTo }) => Date.parse(validTo)));

/** A certificate of a chain that has ended can verify nothing, and would make `expires_at` useless. */
export function refuseExpired(certificates: readonly X509Certificate[], now: number): void {
  const at = certificates.findIndex(({ validTo }) => Date.parse(validTo) <= now);
  const expired = certificates[at];
  if (expired === undefined) return;
  const day = new Date(Date.parse(expired.validTo)).toISOString().slice(0, 10);
  const which = certificates.length === 1 ? 'has expired' : `has an expired certificate: number ${at + 1}`;
  throw new PemProblem(`${which}, ${showName(expired.subject)}, on ${day}`);
}

const CURVES = ['prime256v1', 'secp384r1', 'secp521r1'];

/** One private key that is usual for TLS. A larger RSA key would keep the process busy with each handshake. */
export function readKey(text: string): { key: KeyObject; pem: string } {
  const keys = readBlocks(text).filter(({ label }) => label.endsWith(KEY));
  const [block] = keys;
  if (block === undefined) throw new PemProblem('must be PEM: a key begins with -----BEGIN PRIVATE KEY-----');
  if (keys.length > 1) throw new PemProblem('must have one private key');
  if (block.label.startsWith('ENCRYPTED') || block.text.includes('Proc-Type: 4,ENCRYPTED'))
    throw new PemProblem('is encrypted: send it without its passphrase, as openssl pkey -in key.pem writes it');
  if (block.label.startsWith('OPENSSH')) throw new PemProblem('must be PEM as OpenSSL writes it, not a key of OpenSSH');
  const key = importKey(block.text);
  const { modulusLength = 0, namedCurve = '' } = key.asymmetricKeyDetails ?? {};
  const type = key.asymmetricKeyType;
  if (type === 'rsa' || type === 'rsa-pss') {
    if (modulusLength < 2048 || modulusLength > 4096)
      throw new PemProblem(`must have 2,048 to 4,096 bits, and has ${modulusLength.toLocaleString('en-US')} (RSA)`);
  } else if (!(type === 'ec' && CURVES.includes(namedCurve)) && type !== 'ed25519')
    throw new PemProblem('must be an RSA key, an EC key (P-256, P-384, P-521) or an Ed25519 key');
  return { key, pem: block.text };
}

function importKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new PemProblem('is a private key that cannot be read');
  }
}

/** The certificate of the key first, then those that issued each other. `no_key_fits`: none of them is of this key. */
export function chainProblem(chain: readonly X509Certificate[], key: KeyObject): PemProblem | 'no_key_fits' | null {
  const [first] = chain;
  if (!first?.checkPrivateKey(key)) {
    const at = chain.findIndex((each) => each.checkPrivateKey(key));
    if (at === -1) return 'no_key_fits';
    return new PemProblem(`must begin with the certificate of the key, which is number ${at + 1}`);
  }
  if (chain.length > MAX_CHAIN) return new PemProblem(`must have at most ${MAX_CHAIN} certificates`);
  for (const [at, each] of chain.entries()) {
    const issuer = chain[at + 1];
    if (issuer && !each.checkIssued(issuer))
      return new PemProblem(`is not in order: certificate ${at + 2} did not issue certificate ${at + 1}`);
  }
  return null;
}

const MAX_NAME = 200;

/** A distinguished name on one line, most specific part first. It comes from a host or a file: no control characters. */
export const showName = (lines: string | undefined): string =>
  (lines ?? '')
    .split('\n')
    .reverse()
    .join(', ')
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .slice(0, MAX_NAME);
