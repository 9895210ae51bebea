// What an MCP server lists, ready to be stored: each definition with its hash and its warnings.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { canonicalHash } from '../../../json/canonical-json.ts';
import { isStorableText } from '../../../json/storable-text.ts';
import { toolNameFor } from './names.ts';
import type { NewListed } from './tool-store.ts';
import type { UpstreamDefinition } from './upstream-definition.ts';
import { findWarnings } from './warnings.ts';

const MAX_NAME_LENGTH = 128;
/** A larger one cannot be approved; only its name is kept. */
const MAX_DEFINITION_BYTES = 160 * 1024;
/** Between two turns of the event loop. */
const TOOLS_AT_ONCE = 20;

/** A tool without a usable name, and a second one of the same name, are left out. `names` are those of all tools of the project. */
export async function prepareListed(
  slug: string,
  listed: UpstreamDefinition[],
  names: ReadonlySet<string>,
): Promise<Map<string, NewListed>> {
  const prepared = new Map<string, NewListed>();
  for (const [index, definition] of listed.entries()) {
    if (index % TOOLS_AT_ONCE === 0) await nextTurn();
    const { name } = definition;
    if (typeof name !== 'string' || !isUsable(name) || prepared.has(name)) continue;
    prepared.set(name, prepare(slug, name, definition, names));
  }
  return prepared;
}

const isUsable = (name: string) => name.length > 0 && name.length <= MAX_NAME_LENGTH && isStorableText(name);

function prepare(
  slug: string,
  upstream_name: string,
  definition: UpstreamDefinition,
  names: ReadonlySet<string>,
): NewListed {
  const text = JSON.stringify(definition);
  const hash = canonicalHash(definition);
  if (Buffer.byteLength(text) > MAX_DEFINITION_BYTES) {
    const kept = JSON.stringify({ name: upstream_name });
    return { upstream_name, definition: kept, hash, warnings: [{ code: 'definition_not_supported', path: '' }] };
  }
  const own = toolNameFor(slug, upstream_name);
  const others = names.has(own) ? new Set([...names].filter((name) => name !== own)) : names;
  return { upstream_name, definition: text, hash, warnings: findWarnings(definition, others) };
}
