// Replaces what differs between two recordings: ids, secrets, times, hashes, addresses. The same value within one operation is
// replaced by the same text, and no operation depends on another, so a new operation changes nothing in the others.

import { createHash } from 'node:crypto';
import { exampleTime } from '@toolgate/contract/examples.ts';
import { exampleIds } from '@toolgate/contract/ids.ts';

const EXAMPLE_TIME_MS = Date.parse(exampleTime);
const STEP_MS = 5 * 60_000;
const DAY_MS = 86_400_000;
const SECRET_END = '…';

/** Values that are replaced because of the name of their field. */
const byField: Record<string, unknown> = {
  last4: 'x9Qz',
  secret_last4: 'x9Qz',
  duration_ms: 143,
  p50_ms: 143,
  p95_ms: 310,
  p99_ms: 640,
  queue_ms: 0,
  connect_ms: 31,
  upstream_ms: 108,
  next_cursor: 'eyJpZCI6ImtleV85ZEt4MnZRbVRhN2NCejBSZlk0d0xwIn0',
  ip: '203.0.113.7',
  seq: 42,
  clock_difference_seconds: 0,
  expires_in_seconds: 30,
  age_seconds: 2,
  lag_seconds: 0,
  retry_after_seconds: 36,
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
};

const endOfDay = (ms: number) => (Math.floor(ms / DAY_MS) + 1) * DAY_MS;

export type Normalize = (value: unknown) => unknown;

export type Run = {
  now_ms: number;
  customer: { url: string; address: string };
  openid: { url: string; address: string };
};

/** One of these for each operation. */
export function createNormalizer({ now_ms, customer, openid }: Run): Normalize {
  const ids = new Map<string, string>();
  const replaceId = (id: string, prefix: string) => {
    const count = [...ids.keys()].filter((known) => known.startsWith(`${prefix}_`)).length;
    const example = ids.get(id) ?? exampleId(prefix, count);
    ids.set(id, example);
    return example;
  };
  const replaceTime = (text: string) => {
    // The end of the day is not so and so long after now.
    if (Date.parse(text) === endOfDay(now_ms)) return new Date(endOfDay(EXAMPLE_TIME_MS)).toISOString();
    const steps = Math.max(0, Math.round((Date.parse(text) - now_ms) / STEP_MS));
    return new Date(EXAMPLE_TIME_MS + steps * STEP_MS).toISOString();
  };
  const replaceSeconds = (text: string) =>
    Math.abs(Number(text) - now_ms / 1000) < 86_400 ? String(EXAMPLE_TIME_MS / 1000) : text;
  const replaceText = (text: string) =>
    text
      .replaceAll(customer.url, 'https://api.example.com')
      .replaceAll(openid.url, 'https://login.example.com')
      .replaceAll(openid.address, 'login.example.com')
      .replaceAll(customer.address, 'api.example.com')
      .replaceAll(/\b(svc_(?:live|test|mst|ocs|ort)_)[0-9A-Za-z]{36}/g, `$1${SECRET_END}`)
      .replaceAll(/\b(svc_(?:live|test)_)[0-9A-Za-z]{3}\b/g, '$14fT')
      .replaceAll(/(\/oauth\/connect\/)[\w.-]+/g, `$1${SECRET_END}`)
      .replaceAll(/(#token=)[\w-]{43}/g, `$1${SECRET_END}`)
      .replaceAll(/(\?token=)\d+\.[\w-]{43}/g, `$1${SECRET_END}`)
      .replaceAll(/\b[A-Z2-7]{32}\b/g, 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')
      .replaceAll(/\b[2-9a-z]{4}(?:-[2-9a-z]{4}){3}\b/g, 'k7m2-x9pd-4wqr-8htn')
      .replaceAll(/\b(whsec|hksec)_[\w+/=-]{20,}/g, `$1_${SECRET_END}`)
      .replaceAll(/\beyJ[\w-]+(?:\.[\w-]*){2,4}/g, `eyJhbGciOiJFUzI1NiIsImtpZCI6${SECRET_END}`)
      .replaceAll(/(-----BEGIN (?:[A-Z]+ )*(?:KEY|CERTIFICATE)-----\n)[\s\S]+?(\n-----END)/g, `$1${SECRET_END}$2`)
      .replaceAll(/\bSHA256:[\w-]{43}/g, 'SHA256:xCb0nVz2kJ7Zt0m4e3cVbT1f9H6yQpRsWuXoLd8aGiM')
      .replaceAll(/\bv1,[\w+/]{43}=/g, 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=')
      .replaceAll(/\b[0-9a-f]{64}\b/g, createHash('sha256').update('example').digest('hex'))
      .replaceAll(/\b([a-z]{2,6})_[0-9A-Za-z]{22}(?![0-9A-Za-z])/g, replaceId)
      .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, replaceTime)
      .replaceAll(
        /\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT\b/g,
        new Date(EXAMPLE_TIME_MS).toUTCString(),
      )
      .replaceAll(/\b\d{10}\b/g, replaceSeconds)
      .replaceAll(/\bexp in \d+ seconds?/g, 'exp in 30 seconds')
      .replaceAll(/\biat (?:in \d+ seconds?|\d+ seconds? ago)/g, 'iat 0 seconds ago');

  const normalize = (value: unknown, field = ''): unknown => {
    if (value === null || typeof value === 'boolean') return value;
    if (field in byField && typeof value === typeof byField[field]) return byField[field];
    if (typeof value === 'string') return replaceText(value);
    if (typeof value === 'number') return Number(replaceText(String(value)));
    if (Array.isArray(value)) return value.map((entry) => normalize(entry));
    return Object.fromEntries(Object.entries(value as object).map(([name, part]) => [name, normalize(part, name)]));
  };
  return (value) => normalize(value);
}

const knownIds = Object.values(exampleIds);

/** The first id of a kind is the one that other examples use, the next ones are derived from their number. */
function exampleId(prefix: string, count: number): string {
  const known = knownIds.find((id) => id.startsWith(`${prefix}_`));
  if (count === 0 && known) return known;
  const digest = createHash('sha512').update(`${prefix} ${count}`).digest('base64').replaceAll(/[+/=]/g, '');
  return `${prefix}_${digest.slice(0, 22)}`;
}
