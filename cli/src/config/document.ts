// The configuration file: writes it, and validates one before anything is changed.

import { visit, Document as YamlDocument } from 'yaml';
import { Failure } from '../failure.ts';
import { parseObject } from '../read-input.ts';
import { hasUnseen, visibleName, visibleText } from '../visible.ts';
import { comparable, type Fields, isObject } from './comparable.ts';
import { type Section, type SectionName, sections } from './sections.ts';
import type { State } from './state.ts';

const VERSION = 1;

/** A section that the file does not have is left as it is. */
export type Document = { settings: Fields | undefined; sections: Partial<Record<SectionName, Fields[]>> };

const header = `# The configuration of a toolgate project, without secrets. "npx toolgate apply" brings a project into this state.
# A tool that needs a secret takes it from the environment: encrypted_auth_secret: \${NAME}
# So does a webhook with headers: headers: {Authorization: \${NAME}}
# And a certificate with a private key: client_key: \${NAME}
# NAME begins with TOOLGATE_SECRET_, or is allowed by --allow-env NAME.
`;

export function writeDocument(state: State): string {
  const readable = sections.filter(({ name }) => !state.unreadable.has(name));
  const lists = readable.map((section) => [
    section.name,
    state.sections[section.name].map(({ entry }) => exportedEntry(section, entry)),
  ]);
  const content = { version: VERSION, settings: state.settings, ...Object.fromEntries(lists) };
  const document = new YamlDocument(content, { aliasDuplicateObjects: false });
  visit(document, {
    // Only there can a character be written as an escape.
    Scalar(_, scalar) {
      if (typeof scalar.value === 'string' && hasUnseen(scalar.value.replaceAll('\n', '')))
        scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return header + visibleText(document.toString({ lineWidth: 0 }));
}

function exportedEntry({ unlessEmpty = '' }: Section, entry: Fields): Fields {
  const { [unlessEmpty]: list, ...rest } = entry;
  return Array.isArray(list) && list.length === 0 ? rest : entry;
}

export function readDocument(text: string, file: string): Document {
  const { version, settings, ...lists } = parseObject(text, file);
  if (version !== VERSION) throw new Failure(`${file}: version must be ${VERSION}.`);
  if (settings !== undefined && !isObject(settings)) throw new Failure(`${file}: settings must be an object.`);
  const known: string[] = sections.map(({ name }) => name);
  const unknown = Object.keys(lists).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Failure(
      `${file}: unknown section ${visibleName(unknown)}. A file can have settings, ${known.join(', ')}.`,
    );
  const found: Document['sections'] = {};
  for (const section of sections)
    if (lists[section.name] !== undefined) found[section.name] = readSection(section, lists[section.name], file);
  return { settings: isObject(settings) ? comparable(settings) : undefined, sections: found };
}

function readSection(section: Section, list: unknown, file: string): Fields[] {
  const { name, key, fields, secrets = [] } = section;
  if (!Array.isArray(list)) throw new Failure(`${file}: ${name} must be a list.`);
  return list.map((entry: unknown, at) => {
    const place = `${file}: ${name}[${at}]`;
    if (!isObject(entry)) throw new Failure(`${place} must be an object.`);
    if (typeof entry[key] !== 'string') throw new Failure(`${place} has no ${key}.`);
    const wrong = Object.keys(entry).find((field) => !fields.includes(field) && !secrets.includes(field));
    if (wrong !== undefined)
      throw new Failure(`${place} (${visibleName(entry[key])}): ${visibleName(wrong)} is not a field of ${name}.`);
    section.check?.(entry, place);
    return comparable(entry);
  });
}
