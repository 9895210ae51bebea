// Ids: a prefix that names the kind of the resource, and a random part in base62.

export type IdPrefix =
  | 'usr'
  | 'acs'
  | 'inv'
  | 'sst'
  | 'org'
  | 'prj'
  | 'key'
  | 'int'
  | 'akey'
  | 'mem'
  | 'ses'
  | 'tool'
  | 'tst'
  | 'lim'
  | 'apr'
  | 'dsub'
  | 'hook'
  | 'str'
  | 'test'
  | 'mcs'
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
  | 'sig'
  | 'job'
  | 'aud'
  | 'req';

export const ID_RANDOM_LENGTH = 22;

const RANDOM_PART = new RegExp(`^[0-9A-Za-z]{${ID_RANDOM_LENGTH}}$`);

/** Whether the text has the form of such an id. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && RANDOM_PART.test(text.slice(prefix.length + 1));
}
