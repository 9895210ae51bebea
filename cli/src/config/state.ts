// The configuration that a project has, as entries of a file with the ids that they have on the server.

import type { Toolgate } from '../../../sdk/src/index.ts';
import { Failure } from '../failure.ts';
import { visibleName } from '../visible.ts';
import { type Fields, type Reference, type Section, type SectionName, sections } from './sections.ts';

/** `resource` as the API answered it; `entry` as the file has it. */
export type Existing = { id: string; resource: Fields; entry: Fields };
export type State = { settings: Fields; sections: Record<SectionName, Existing[]> };

export async function readState(toolgate: Toolgate, project: string): Promise<State> {
  const found = {} as Record<SectionName, Existing[]>;
  for (const section of sections) {
    const resources: Fields[] = [];
    for await (const each of section.methods(toolgate).list()) if (!section.isLeftOut?.(each)) resources.push(each);
    found[section.name] = resources
      .map((resource) => ({ id: String(resource.id), resource, entry: entryOf(section, resource, found) }))
      .sort((a, b) => compareText(sortText(section, a.entry), sortText(section, b.entry)));
  }
  return { settings: comparable(await toolgate.projects.settings.get(project)), sections: found };
}

function entryOf(section: Section, resource: Fields, found: Record<SectionName, Existing[]>): Fields {
  const named = section.reference ? withNames(section.reference, resource, found[section.reference.section]) : resource;
  return comparable(Object.fromEntries(section.fields.map((field) => [field, named[field]])));
}

function withNames(reference: Reference, resource: Fields, targets: readonly Existing[]): Fields {
  const { field, written, inside } = reference;
  const place = (inside === undefined ? resource : resource[inside]) as Fields;
  if (!(field in place)) return resource;
  const { [field]: id, ...rest } = place;
  const target = targets.find((each) => each.id === id);
  const replaced = { ...rest, [written]: id === null ? null : (target?.entry.name ?? id) };
  return inside === undefined ? replaced : { ...resource, [inside]: replaced };
}

/** The entry as a request: names replaced by ids. `targets` are the entries that exist by now. */
export function requestOf({ reference }: Section, entry: Fields, targets: readonly Existing[]): Fields {
  if (!reference) return entry;
  const { field, written, inside } = reference;
  const place = (inside === undefined ? entry : entry[inside]) as Fields | undefined;
  if (place === undefined || place === null || !(written in place)) return entry;
  const { [written]: name, ...rest } = place;
  const replaced = { ...rest, [field]: name === null ? null : idOf(reference, name, targets) };
  return inside === undefined ? replaced : { ...entry, [inside]: replaced };
}

function idOf({ section, written }: Reference, name: unknown, targets: readonly Existing[]): string {
  const [found, other] = targets.filter(({ entry, id }) => entry.name === name || id === name);
  if (found === undefined)
    throw new Failure(`${written}: ${section} has no entry with the name ${visibleName(String(name))}.`);
  if (other !== undefined)
    throw new Failure(`${written}: ${section} has several entries with the name ${visibleName(String(name))}.`);
  return found.id;
}

/** Lists of texts are sets for the API: their order is no difference. */
export function comparable(fields: Fields): Fields {
  const isTexts = (value: unknown): value is string[] =>
    Array.isArray(value) && value.every((each) => typeof each === 'string');
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isTexts(value) ? value.toSorted(compareText) : value]),
  );
}

const sortText = ({ key }: Section, entry: Fields) => `${entry[key]}\n${JSON.stringify(entry)}`;

/** By code units: the same on every machine, whatever its language. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
