// The hints of a tool as models see them: what the project set, and the rest derived from the method (RFC 9110 §9.2). Without zod: the
// dashboard ships it to browsers.

import type { toolMethods } from './rules.ts';

export const hintNames = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

export type HintName = (typeof hintNames)[number];

/** What the project set. Undefined: not set. */
export type SetAnnotations = { title?: string | undefined } & { [name in HintName]?: boolean | undefined };

export type ListedAnnotations = { title: string } & Record<HintName, boolean>;

type Method = (typeof toolMethods)[number];

/** `method` is null for a tool of an MCP server: what its hints lack are MCP's defaults. */
type Described = { name: string; title: string | null; method: Method | null; annotations: SetAnnotations | null };

const IDEMPOTENT: ReadonlySet<Method> = new Set(['GET', 'PUT', 'DELETE']);

export function listedAnnotations({ name, title, method, annotations }: Described): ListedAnnotations {
  const set = annotations ?? {};
  // What is set decides what is derived. Whatever is not read-only may destroy something, unless a person says otherwise.
  const readOnlyHint = set.readOnlyHint ?? (method === 'GET' && set.destructiveHint !== true);
  return {
    title: set.title ?? title ?? wordsOf(name),
    readOnlyHint,
    destructiveHint: set.destructiveHint ?? !readOnlyHint,
    idempotentHint: set.idempotentHint ?? (method !== null && IDEMPOTENT.has(method)),
    openWorldHint: set.openWorldHint ?? method === null,
  };
}

/** The hints that nobody set. */
export function derivedAnnotations(annotations: SetAnnotations | null): HintName[] {
  return hintNames.filter((name) => annotations?.[name] === undefined);
}

/** A tool cannot both change nothing and destroy something. */
export function contradicts(annotations: SetAnnotations | null): boolean {
  return annotations?.readOnlyHint === true && annotations.destructiveHint === true;
}

/** `listOpenOrders` and `list_open_orders` → `List open orders`. */
function wordsOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .filter(Boolean)
    .map((word) => (/^[A-Z][a-z]/.test(word) ? word.toLowerCase() : word));
  const [first = name, ...rest] = words;
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' ');
}
