// Ids: a prefix that names the kind, and 130 random bits in base62. They reveal neither order nor number.

import { randomBase62 } from '../base62.ts';

type Prefix =
  | 'usr'
  | 'acs'
  | 'inv'
  | 'org'
  | 'prj'
  | 'key'
  | 'int'
  | 'akey'
  | 'mem'
  | 'ses'
  | 'tool'
  | 'call'
  | 'wh'
  | 'evt'
  | 'dlv'
  | 'oap'
  | 'oac'
  | 'con'
  | 'oar'
  | 'oag'
  | 'odc'
  | 'job'
  | 'aud'
  | 'req';

const LENGTH = 22;

const RANDOM_PART = new RegExp(`^[0-9A-Za-z]{${LENGTH}}$`);

/** Whether the text has the form of such an id. */
export function isId(prefix: Prefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && RANDOM_PART.test(text.slice(prefix.length + 1));
}

export function newId(prefix: Prefix): string {
  return `${prefix}_${randomBase62(LENGTH)}`;
}
