// What a model hardly needs of the results of an imported tool, found in its output schema: links, avatars, members that are always
// null, and audit fields. A proposal for `drop` of the tool's `response`, with the tokens that each saves.

import { escapeName } from '@toolgate/contract/custom-tools/response-paths.ts';
import type { ImportedTool } from '@toolgate/contract/custom-tools/tool-import.ts';
import { isObject, resolvePointer, type SchemaObject } from '../../../engines/json-schema/keywords.ts';

type Proposal = ImportedTool['proposed_drop'][number];

const MAX_PROPOSALS = 20;
/** Bounds the time: an import may have thousands of tools. */
const MAX_PLACES = 300;
const MAX_DEPTH = 8;
/** A list is counted as so many items. */
const ITEMS = 10;
const BYTES_PER_TOKEN = 4;

const REASONS: [reason: Proposal['reason'], names: RegExp][] = [
  ['avatar', /avatar|gravatar|thumbnail|(?:icon|image|photo|picture|logo)_?ur[il]/i],
  ['link', /^_?links?$|^(?:self|href)$|(?:^|_)(?:ur[il]|href|link)s?$|Ur[il]s?$|Links?$/],
  ['audit', /^(?:created|updated|modified|deleted|archived)(?:_?(?:at|by|on))?$|^_?etag$|^node_id$|^revision$/i],
];

export function proposeDrop(schema: SchemaObject | null): Proposal[] {
  if (schema === null) return [];
  const found: Proposal[] = [];
  let places = 0;

  const visit = (given: unknown, path: string, count: number, depth: number): void => {
    const at = resolve(schema, given);
    if (!at || depth > MAX_DEPTH) return;
    for (const part of [at.allOf, at.anyOf, at.oneOf].flat())
      if (part !== undefined) visit(part, path, count, depth + 1);
    if (at.items !== undefined) visit(at.items, `${path}[]`, count * ITEMS, depth + 1);
    if (!isObject(at.properties)) return;
    for (const [name, child] of Object.entries(at.properties)) {
      places += 1;
      if (places > MAX_PLACES) return;
      const here = `${path}${path === '' ? '' : '.'}${escapeName(name)}`;
      const reason = reasonFor(name, resolve(schema, child));
      if (reason === null) visit(child, here, count, depth + 1);
      else {
        const bytes = (name.length + '"":,'.length + sizeOf(schema, child, 0)) * count;
        found.push({ path: here, reason, tokens: Math.ceil(bytes / BYTES_PER_TOKEN) });
      }
    }
  };

  visit(schema, '', 1, 0);
  const unique = [...new Map(found.map((each) => [each.path, each])).values()];
  return unique.sort((one, other) => other.tokens - one.tokens).slice(0, MAX_PROPOSALS);
}

function reasonFor(name: string, schema: SchemaObject | null): Proposal['reason'] | null {
  if (schema?.type === 'null') return 'null';
  return REASONS.find(([, names]) => names.test(name))?.[0] ?? null;
}

function resolve(root: SchemaObject, given: unknown): SchemaObject | null {
  let at = given;
  for (let left = MAX_DEPTH; left > 0 && isObject(at) && typeof at.$ref === 'string'; left -= 1)
    at = resolvePointer(root, at.$ref);
  return isObject(at) ? at : null;
}

const SIZES: Record<string, number> = { string: 22, integer: 5, number: 6, boolean: 5, null: 4 };
const FORMAT_SIZES: Record<string, number> = { uri: 62, url: 62, 'date-time': 22, date: 12, uuid: 38, email: 26 };

/** A document may have anything as a type or a format. */
const knownSize = (sizes: Record<string, number>, name: unknown) =>
  typeof name === 'string' && Object.hasOwn(sizes, name) ? sizes[name] : undefined;

/** Bytes of a usual value: of its example if there is one. */
function sizeOf(root: SchemaObject, given: unknown, depth: number): number {
  const schema = resolve(root, given);
  if (!schema || depth > 3) return SIZES.string as number;
  const example = schema.example ?? (Array.isArray(schema.examples) ? schema.examples[0] : undefined);
  if (example !== undefined) return Math.min(JSON.stringify(example).length, 1_000);
  const [type] = [schema.type].flat();
  if (type === 'array') return 2 + ITEMS * sizeOf(root, schema.items, depth + 1);
  if (isObject(schema.properties)) {
    const members = Object.entries(schema.properties).slice(0, MAX_PROPOSALS);
    return members.reduce((sum, [name, child]) => sum + name.length + 4 + sizeOf(root, child, depth + 1), 2);
  }
  return knownSize(FORMAT_SIZES, schema.format) ?? knownSize(SIZES, type) ?? (SIZES.string as number);
}
