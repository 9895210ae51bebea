// How TOOLGATE_MASTER_KEYS, and the file of the embedded database, write master keys.

import { createSecretKey, type KeyObject } from 'node:crypto';

/** A KeyObject, because a logged KeyObject does not show its bytes. */
export type MasterKey = { id: string; key: KeyObject };

/** Parses `id:base64,id2:base64`. Problems never contain the key. */
export function parseMasterKeys(text: string): { keys: MasterKey[]; problems: string[] } {
  const keys: MasterKey[] = [];
  const problems: string[] = [];
  const entries = text.trim() === '' ? [] : text.split(',');
  for (const [index, entry] of entries.entries()) {
    const [, id, key] = /^([A-Za-z0-9_-]{1,32}):(.*)$/s.exec(entry.trim()) ?? [];
    if (id === undefined || key === undefined) {
      problems.push(`entry ${index + 1} is not id:base64 with an id of 1 to 32 letters, digits, "_" or "-"`);
    } else if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(key)) {
      problems.push(`the key "${id}" is not 32 bytes of base64`);
    } else if (keys.some((other) => other.id === id)) {
      problems.push(`the id "${id}" is given twice`);
    } else {
      keys.push({ id, key: createSecretKey(key, 'base64') });
    }
  }
  return { keys, problems };
}

/** The reverse of parseMasterKeys. */
export const formatMasterKeys = (keys: MasterKey[]) =>
  keys.map(({ id, key }) => `${id}:${key.export().toString('base64')}`).join(',');
