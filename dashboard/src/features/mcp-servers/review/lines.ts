// A definition of a tool as lines of text, each with its place: what a person reads, and what two definitions are compared by.

import { escapePointer } from '@toolgate/contract/mcp-servers/definition-text.ts';

/** `path` is the JSON Pointer of the value that begins in the line, and of a text in its last line; else empty. */
export type Line = { path: string; indent: number; text: string; isLast: boolean };

/** What two lines are compared by: not the comma at the end. */
export const lineKey = ({ indent, text }: Line) => `${indent} ${text}`;

export type DefinitionPart = { path: string; label: string; old: Line[] | null; now: Line[] | null };

type Definition = Record<string, unknown>;

const labels = new Map([
  ['title', 'Title'],
  ['description', 'Description'],
  ['inputSchema', 'Input schema'],
  ['outputSchema', 'Output schema'],
  ['annotations', 'Hints'],
]);

/** What models read comes first. Its name is not among them: the review has it as its heading. */
export function partsOf(definition: Definition, approved: Definition | null): DefinitionPart[] {
  const names = new Set([...labels.keys(), ...Object.keys(definition), ...Object.keys(approved ?? {})]);
  names.delete('name');
  return [...names]
    .map((name) => ({
      path: `/${escapePointer(name)}`,
      label: labels.get(name) ?? name,
      old: linesIn(approved, name),
      now: linesIn(definition, name),
    }))
    .filter(({ old, now }) => old !== null || now !== null);
}

function linesIn(definition: Definition | null, name: string): Line[] | null {
  if (!definition || !Object.hasOwn(definition, name)) return null;
  const [value, path] = [definition[name], `/${escapePointer(name)}`];
  if (typeof value !== 'string') return jsonLines(value, { path, indent: 0, start: '', isLast: true });
  const texts = value.split('\n');
  // What is said about the whole text is said at its end.
  return texts.map((text, index) => ({ path: index === texts.length - 1 ? path : '', indent: 0, text, isLast: true }));
}

type Place = { path: string; indent: number; start: string; isLast: boolean };

/** `start`: the name of a member, before its value. */
function jsonLines(value: unknown, { path, indent, start, isLast }: Place): Line[] {
  const inside = membersOf(value);
  if (inside === null || inside.length === 0) return [{ path, indent, text: start + JSON.stringify(value), isLast }];
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return [
    { path, indent, text: `${start}${open}`, isLast: true },
    ...inside.flatMap(([name, member], index) =>
      jsonLines(member, {
        path: `${path}/${escapePointer(name)}`,
        indent: indent + 2,
        start: Array.isArray(value) ? '' : `${JSON.stringify(name)}: `,
        isLast: index === inside.length - 1,
      }),
    ),
    { path: '', indent, text: close ?? '', isLast },
  ];
}

const membersOf = (value: unknown): [name: string, member: unknown][] | null =>
  typeof value === 'object' && value !== null ? Object.entries(value) : null;
