// The configuration that a project has, as entries of a file with the ids that they have on the server.

import { PermissionError, type Toolgate } from '../../../sdk/src/index.ts';
import { Failure } from '../failure.ts';
import { visibleName } from '../visible.ts';
import { comparable, compareText, type Fields } from './comparable.ts';
import { keyOf, type Reference, type Section, type SectionName, sections } from './sections.ts';

/** `resource` as the API returned it; `entry` as the file has it. */
export type Existing = { id: string; resource: Fields; entry: Fields };
/** `left_out`: what is not part of the configuration, but entries may name it. `unreadable`: sections that the key may not read. */
export type State = {
  settings: Fields;
  sections: Record<SectionName, Existing[]>;
  left_out: Record<SectionName, Existing[]>;
  unreadable: ReadonlySet<SectionName>;
};

export async function readState(toolgate: Toolgate, project: string): Promise<State> {
  const resources = {} as Record<SectionName, Fields[]>;
  const unreadable = new Set<SectionName>();
  for (const section of sections) {
    const list = await readSection(section, toolgate);
    resources[section.name] = list ?? [];
    if (list === null) unreadable.add(section.name);
  }
  const found = {} as Record<SectionName, Existing[]>;
  const left_out = {} as Record<SectionName, Existing[]>;
  for (const section of sections) {
    const existing = resources[section.name].map((resource) => ({
      id: String(resource.id),
      resource,
      entry: entryOf(section, resource, resources),
    }));
    const byText = (a: Existing, b: Existing) => compareText(sortText(section, a.entry), sortText(section, b.entry));
    // Lists are newest first.
    const all = section.hasOrder ? existing.reverse() : existing.sort(byText);
    found[section.name] = all.filter(({ resource }) => !section.isLeftOut?.(resource));
    left_out[section.name] = all.filter(({ resource }) => section.isLeftOut?.(resource));
  }
  return { settings: comparable(await toolgate.projects.settings.get(project)), sections: found, left_out, unreadable };
}

/** The tools that came with the approval of an MCP server can be named by what follows. */
export async function addSourcedTools(toolgate: Toolgate, { left_out }: State): Promise<void> {
  left_out.tools = [];
  for await (const resource of toolgate.customTools.list())
    if (resource.source)
      left_out.tools.push({ id: resource.id, resource: { ...resource }, entry: { name: resource.name } });
}

/** Null: the key may not read it. */
async function readSection(section: Section, toolgate: Toolgate): Promise<Fields[] | null> {
  const found: Fields[] = [];
  try {
    for await (const each of section.methods(toolgate).list()) found.push(each);
  } catch (error) {
    if (section.isForAdmins && error instanceof PermissionError) return null;
    throw error;
  }
  return found;
}

function entryOf(section: Section, resource: Fields, resources: Record<SectionName, Fields[]>): Fields {
  let named = resource;
  for (const reference of section.references ?? []) named = withNames(reference, named, resources[reference.section]);
  return comparable(Object.fromEntries(section.fields.map((field) => [field, named[field]])));
}

function withNames(reference: Reference, resource: Fields, targets: readonly Fields[]): Fields {
  const { section, field, written, inside } = reference;
  const place = (inside === undefined ? resource : resource[inside]) as Fields | null;
  if (place === null || !(field in place)) return resource;
  const { [field]: ids, ...rest } = place;
  const nameOf = (id: unknown) => targets.find((each) => each.id === id)?.[keyOf(section)] ?? id;
  const replaced = { ...rest, [written]: forEach(ids, nameOf) };
  return inside === undefined ? replaced : { ...resource, [inside]: replaced };
}

/** One, a list of them, or null. */
const forEach = (value: unknown, replace: (each: unknown) => unknown) =>
  value === null ? null : Array.isArray(value) ? value.map(replace) : replace(value);

/** The entry as a request: names replaced by ids of the entries that exist by now. */
export function requestOf({ references = [] }: Section, entry: Fields, { sections, left_out }: State): Fields {
  const targetsOf = (name: SectionName) => [...sections[name], ...left_out[name]];
  return references.reduce((fields, each) => withIds(each, fields, targetsOf(each.section)), entry);
}

function withIds(reference: Reference, entry: Fields, targets: readonly Existing[]): Fields {
  const { field, written, inside } = reference;
  const place = (inside === undefined ? entry : entry[inside]) as Fields | undefined;
  if (place === undefined || place === null || !(written in place)) return entry;
  const { [written]: names, ...rest } = place;
  const replaced = { ...rest, [field]: forEach(names, (name) => idOf(reference, name, targets)) };
  return inside === undefined ? replaced : { ...entry, [inside]: replaced };
}

function idOf({ section, written }: Reference, name: unknown, targets: readonly Existing[]): string {
  const key = keyOf(section);
  const [found, other] = targets.filter(({ entry, id }) => entry[key] === name || id === name);
  if (found === undefined)
    throw new Failure(`${written}: ${section} has no entry with the ${key} ${visibleName(String(name))}.`);
  if (other !== undefined)
    throw new Failure(`${written}: ${section} has several entries with the ${key} ${visibleName(String(name))}.`);
  return found.id;
}

const sortText = ({ key }: Section, entry: Fields) => `${entry[key]}\n${JSON.stringify(entry)}`;
