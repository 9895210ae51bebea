// The configuration file: writes it, and validates one before anything is changed.

import { stringify } from 'yaml';
import { Failure } from '../failure.ts';
import { parseObject } from '../read-input.ts';
import { type Fields, type Section, type SectionName, sections } from './sections.ts';
import { comparable, type State } from './state.ts';

const VERSION = 1;

/** A section that the file does not have is left as it is. */
export type Document = { settings: Fields | undefined; sections: Partial<Record<SectionName, Fields[]>> };

const header = `# The configuration of a toolgate project, without secrets. "toolgate apply" brings a project to this state.
# A tool that needs a secret takes it from the environment: encrypted_auth_secret: \${NAME}
# So does a webhook with headers: headers: {Authorization: \${NAME}}
`;

export function writeDocument(state: State): string {
  const lists = sections.map(({ name }) => [name, state.sections[name].map(({ entry }) => entry)]);
  const content = { version: VERSION, settings: state.settings, ...Object.fromEntries(lists) };
  return header + stringify(content, { lineWidth: 0, aliasDuplicateObjects: false });
}

export function readDocument(text: string, file: string): Document {
  const { version, settings, ...lists } = parseObject(text, file);
  if (version !== VERSION) throw new Failure(`${file}: version must be ${VERSION}.`);
  if (settings !== undefined && !isObject(settings)) throw new Failure(`${file}: settings must be an object.`);
  const known = sections.map(({ name }) => name as string);
  const unknown = Object.keys(lists).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Failure(`${file}: ${unknown} is not known. A file has settings, ${known.join(', ')}.`);
  const found: Document['sections'] = {};
  for (const section of sections)
    if (lists[section.name] !== undefined) found[section.name] = readSection(section, lists[section.name], file);
  return { settings: settings && comparable(settings as Fields), sections: found };
}

function readSection(section: Section, list: unknown, file: string): Fields[] {
  const { name, key, fields, secret } = section;
  if (!Array.isArray(list)) throw new Failure(`${file}: ${name} must be a list.`);
  return list.map((entry: unknown, at) => {
    const place = `${file}: ${name}[${at}]`;
    if (!isObject(entry)) throw new Failure(`${place} must be an object.`);
    if (typeof entry[key] !== 'string') throw new Failure(`${place} has no ${key}.`);
    const wrong = Object.keys(entry).find((field) => !fields.includes(field) && field !== secret);
    if (wrong !== undefined) throw new Failure(`${place} (${entry[key]}): ${wrong} is not a field of ${name}.`);
    return comparable(entry);
  });
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
