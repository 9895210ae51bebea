// How the text of a setting becomes its value. A parser reports what is wrong and still returns something of its type, so that
// all problems are found in one start. What it reports follows the name of the setting, and never has the value of a secret.

import { isIP } from 'node:net';
import { splitHosts } from '../engines/split-hosts.ts';
import { type AllowList, parseAllowList } from '../outbound/allow-list.ts';
import { type DirectHosts, type ProxyUrl, parseDirectHosts, parseProxyUrl } from '../outbound/egress-proxy.ts';
import { type MasterKey, parseMasterKeys } from './master-keys.ts';
import { isSentinelUrl, parseSentinelUrl } from './redis-url.ts';

export type Parse<T> = (text: string, report: (problem: string) => void) => T;

export const anyText: Parse<string> = (text) => text;

/** For a secret: `rule` describes the pattern, and the value is not repeated. */
export function secretText(pattern: RegExp, rule: string): Parse<string> {
  return (text, report) => {
    if (!pattern.test(text)) report(`must ${rule}`);
    return text;
  };
}

/** One or several hosts of PostgreSQL, of which one takes writes. The value is not repeated: it has a password. */
export const databaseUrl: Parse<string> = (text, report) => {
  if (!/^postgres(ql)?:\/\//.test(text)) report('must start with postgres://');
  const hosts = splitHosts(text);
  if (hosts.length > 1 && !hosts.every((url) => URL.canParse(url)))
    report('must name its hosts as in postgres://user:password@a:5432,b:5432/name');
  const [, attributes = 'read-write'] = /[?&]target_session_attrs=([^&#]*)/.exec(text) ?? [];
  if (!['read-write', 'primary'].includes(attributes))
    report('must have target_session_attrs=read-write, or none: the server writes');
  return text;
};

/** The value is not repeated: it has a password. */
export const redisUrl: Parse<string> = (text, report) => {
  if (isSentinelUrl(text)) {
    if (parseSentinelUrl(text) === null) report('must be redis-sentinel://[user:password@]host:26379,host:26379/name');
  } else if (!/^rediss?:\/\//.test(text))
    report('must start with redis://, rediss://, redis-sentinel:// or rediss-sentinel://');
  return text;
};

export function integer(min: number, max: number): Parse<number> {
  return (text, report) => {
    if (!/^\d{1,9}$/.test(text) || Number(text) < min || Number(text) > max)
      report(`must be a whole number from ${min} to ${max}, not ${text}`);
    return Number(text);
  };
}

export const port: Parse<number> = (text, report) => {
  if (!/^[1-9]\d{0,4}$/.test(text) || Number(text) > 65_535) report(`must be a port number, not ${text}`);
  return Number(text);
};

export const emailAddress: Parse<string> = (text, report) => {
  const address = text.trim().toLowerCase();
  if (!/^[^\s@]{1,64}@[^\s@]{1,189}$/.test(address)) report(`must be an email address, not ${text}`);
  return address;
};

export function days(min: number): Parse<number> {
  return (text, report) => {
    if (!/^\d{1,5}$/.test(text) || Number(text) < min) report(`must be a number of days, ${min} or more, not ${text}`);
    return Number(text);
  };
}

export function oneOf<const T extends readonly string[]>(...choices: T): Parse<T[number]> {
  return (text, report) => {
    if (!choices.includes(text)) report(`must be one of ${choices.join(', ')}, not ${text}`);
    return text;
  };
}

export const origin: Parse<string> = (text, report) => {
  const parsed = URL.parse(text);
  const given = text.replace(/\/$/, '');
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.origin !== given)
    report(`must be an origin such as https://tools.example.com, not ${text}`);
  return given;
};

/** Without a trailing slash. The value is not repeated: it may contain a password. */
export const baseUrl: Parse<string> = (text, report) => {
  if (!/^https?:/.test(text) || !URL.canParse(text))
    report('must be an http or https URL, such as http://localhost:4318');
  return text.replace(/\/+$/, '');
};

/** The value is not repeated: it may contain a password. */
export const proxyUrl: Parse<ProxyUrl | null> = (text, report) => {
  const proxy = parseProxyUrl(text);
  if (proxy === null) report('must be a URL such as http://proxy.internal:3128, without a path');
  return proxy;
};

export const directHosts: Parse<DirectHosts> = (text, report) => {
  const { direct, wrong } = parseDirectHosts(text);
  if (wrong.length > 0)
    report(`must be host names, suffixes (*.internal), IP addresses or ranges (10.0.0.0/8), not ${wrong.join(', ')}`);
  return direct;
};

export const networks: Parse<string[]> = (text, report) => {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
  const wrong = entries.filter((entry) => !isNetwork(entry));
  if (wrong.length > 0) report(`must be IP addresses or networks (10.0.0.0/8), not ${wrong.join(', ')}`);
  return entries;
};

export const hostNames: Parse<string[]> = (text, report) => {
  const entries = text
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter(Boolean);
  const wrong = entries.filter((entry) => !/^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(entry));
  if (wrong.length > 0) report(`must be host names (files.example.com, *.example.com), not ${wrong.join(', ')}`);
  return entries;
};

export const allowList: Parse<AllowList> = (text, report) => {
  const { allowed, problems } = parseAllowList(text);
  for (const problem of problems) report(`has an invalid entry: ${problem}`);
  return allowed;
};

/** A program and its arguments. They are not repeated: one may be a secret. */
export const command: Parse<string[]> = (text, report) => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Refused below.
  }
  const isText = (each: unknown) => typeof each === 'string' && !each.includes('\0');
  if (Array.isArray(value) && value.length > 0 && value[0] !== '' && value.every(isText)) return value;
  report('must be a JSON list of strings: the program and its arguments');
  return [];
};

export const masterKeys: Parse<MasterKey[]> = (text, report) => {
  const { keys, problems } = parseMasterKeys(text);
  for (const problem of problems) report(`is invalid: ${problem}`);
  return keys;
};

function isNetwork(entry: string): boolean {
  const [address = '', bits, ...more] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
