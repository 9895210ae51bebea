// What has to change so that a project is as a file says. Nothing is changed while this is found out.

import { isDeepStrictEqual } from 'node:util';
import { Failure } from '../failure.ts';
import { visibleName } from '../visible.ts';
import type { Fields } from './comparable.ts';
import type { Document } from './document.ts';
import { refuseUnlistedOrigins } from './member-token-origins.ts';
import { type GivenSecret, refuseWithoutSecret, type SecretUse, takeSecret, type Variables } from './secrets.ts';
import { type Section, sections } from './sections.ts';
import type { Existing, State } from './state.ts';

/** `compare`: only the secret is given; whether it is another one, the server finds out. */
export type Action = 'create' | 'update' | 'compare' | 'delete';

export type Change = {
  action: Action;
  /** null: the settings. */
  section: Section | null;
  /** What tells the entry apart, for people. */
  name: string;
  /** The value of the field that does. */
  key_value?: unknown;
  /** Those that are different; in a new entry all of them. */
  fields: Fields;
  secret: GivenSecret | undefined;
  secret_uses: SecretUse[];
  existing: Existing | undefined;
};

type Options = Variables & { prune: boolean };

export function planChanges(state: State, document: Document, { prune, ...variables }: Options): Change[] {
  const changes: Change[] = [];
  const late: Change[] = [];
  const deletions: Change[] = [];
  for (const section of sections) {
    const wanted = document.sections[section.name];
    if (wanted === undefined) continue;
    const rest = [...state.sections[section.name]];
    for (const entry of wanted) {
      const change = planEntry(section, entry, takeMatch(section, entry, rest), variables);
      if (change) for (const part of splitLast(change)) (part.is_late ? late : changes).push(part.change);
    }
    if (prune) deletions.push(...rest.map((existing) => deletionOf(section, existing)));
  }
  refuseUnlistedOrigins(document, changes);
  // The settings name toolsets. An entry is deleted after those that name it.
  return [...changes, ...late, ...planSettings(state, document), ...deletions.reverse()];
}

/** The fields that name entries of a later section are a change of their own, after all others. */
function splitLast(change: Change): { change: Change; is_late: boolean }[] {
  const { action, section, fields } = change;
  const isLast = ([field]: [string, unknown]) => section?.last?.includes(field) ?? false;
  const named = Object.entries(fields).filter(isLast);
  if (named.length === 0) return [{ change, is_late: false }];
  const rest = Object.fromEntries(Object.entries(fields).filter((entry) => !isLast(entry)));
  const second: Change = { ...change, action: 'update', fields: Object.fromEntries(named), ...withoutSecret };
  const isAll = action === 'update' && Object.keys(rest).length === 0;
  const isEmpty = action === 'create' && named.every(([, value]) => Array.isArray(value) && value.length === 0);
  return [
    ...(isAll ? [] : [{ change: { ...change, fields: rest }, is_late: false }]),
    ...(isEmpty ? [] : [{ change: second, is_late: true }]),
  ];
}

const withoutSecret = { secret: undefined, secret_uses: [] };

function planSettings(state: State, { settings }: Document): Change[] {
  const fields = differences(withWholeListing(settings ?? {}, state.settings), state.settings);
  if (Object.keys(fields).length === 0) return [];
  return [{ action: 'update', section: null, name: 'settings', fields, ...withoutSecret, existing: undefined }];
}

/** A file may have some fields of the listing: the others stay as they are, as in the API. */
function withWholeListing(wanted: Fields, current: Fields): Fields {
  const { listing } = wanted;
  if (typeof listing !== 'object' || listing === null) return wanted;
  return { ...wanted, listing: { ...(current.listing as Fields), ...listing } };
}

/** Takes it out of the list, so that of two entries with the same key each has its own. An equal one comes first. */
function takeMatch({ key }: Section, entry: Fields, rest: Existing[]): Existing | undefined {
  const same = rest.filter((each) => each.entry[key] === entry[key]);
  const match = same.find((each) => Object.keys(differences(entry, each.entry)).length === 0) ?? same[0];
  if (match) rest.splice(rest.indexOf(match), 1);
  return match;
}

function planEntry(
  section: Section,
  entry: Fields,
  existing: Existing | undefined,
  variables: Variables,
): Change | null {
  const { fields: wanted, secret, uses: secret_uses } = takeSecret(section, entry, existing, variables);
  const name = `${section.name} ${entry[section.key]}`;
  if (secret === undefined) refuseWithoutSecret(section, wanted, existing);
  const key_value = entry[section.key];
  if (!existing) return { action: 'create', section, name, key_value, fields: wanted, secret, secret_uses, existing };
  const fields = differences(section.complete?.(wanted, existing.entry) ?? wanted, existing.entry);
  const isSame = Object.keys(fields).length === 0;
  if (isSame && secret === undefined) return null;
  if (!isSame && section.isFixed)
    throw new Failure(
      `${visibleName(name)} exists with a different ${Object.keys(fields).join(', ')}, which cannot be changed. Deactivate it first.`,
    );
  return { action: isSame ? 'compare' : 'update', section, name, key_value, fields, secret, secret_uses, existing };
}

function deletionOf(section: Section, existing: Existing): Change {
  const name = `${section.name} ${existing.entry[section.key]}`;
  return { action: 'delete', section, name, fields: {}, ...withoutSecret, existing };
}

/** The fields that are given and different. One that is not given stays as it is. */
function differences(wanted: Fields, current: Fields): Fields {
  const given = Object.entries(wanted).filter(([field, value]) => !isSameValue(value, current[field]));
  return Object.fromEntries(given);
}

/** A PEM may end with a newline or not. */
function isSameValue(a: unknown, b: unknown): boolean {
  if (typeof a === 'string' && typeof b === 'string' && a.startsWith('-----BEGIN')) return a.trim() === b.trim();
  return isDeepStrictEqual(a, b);
}
