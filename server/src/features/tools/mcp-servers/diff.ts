// What differs between two definitions: one entry for each property that was added, removed or replaced.

import { escapePointer } from '@toolgate/contract/mcp-servers/definition-text.ts';
import type { DefinitionChange } from '@toolgate/contract/mcp-servers/pending-tool.ts';

const MAX_CHANGES = 200;

export function diffDefinitions(old: unknown, now: unknown): DefinitionChange[] {
  const changes: DefinitionChange[] = [];
  compare(old, now, '', changes);
  return changes;
}

/** Each value once, so that it takes no longer than reading both. */
function compare(old: unknown, now: unknown, path: string, changes: DefinitionChange[]): void {
  if (changes.length === MAX_CHANGES) return;
  if (!isContainer(old) || !isContainer(now) || Array.isArray(old) !== Array.isArray(now)) {
    if (old !== now) changes.push({ op: 'replace', path, old, new: now });
    return;
  }
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (changes.length === MAX_CHANGES) return;
    const inside = `${path}/${escapePointer(name)}`;
    if (!Object.hasOwn(now, name)) changes.push({ op: 'remove', path: inside, old: old[name], new: null });
    else if (!Object.hasOwn(old, name)) changes.push({ op: 'add', path: inside, old: null, new: now[name] });
    else compare(old[name], now[name], inside, changes);
  }
}

/** Lists too: their indexes are names. */
const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
