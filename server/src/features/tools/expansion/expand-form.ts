// The arguments as application/x-www-form-urlencoded, as the URL standard serializes it.

import { MAX_NESTING, type nestingOf } from '@toolgate/contract/custom-tools/body-format.ts';
import { rootOfName } from '@toolgate/contract/custom-tools/field-names.ts';
import { isReserved } from '@toolgate/contract/custom-tools/reserved-variables.ts';
import { isObject } from '../../../engines/json-schema/keywords.ts';
import type { Problem } from '../../../engines/json-schema/problem.ts';

type Nesting = ReturnType<typeof nestingOf>;
type Values = Readonly<Record<string, unknown>>;

/** Names and values before they are encoded: a name is repeated for each value inside of it. */
export const MAX_LENGTH = 2 * 2 ** 20;
const NOT_TEXT = 'must be well-formed text';
const NO_OBJECTS = 'must not contain objects or lists: they cannot be written in this style';
const LONGEST_NAME = 256;

type Form = {
  fields: [name: string, value: string][];
  /** Which argument has each name. */
  owners: Map<string, string>;
  length: number;
  max_length: number;
};

/** Why an argument cannot be written, or null. */
type Result = string | null;

/** Adds to `problems` what is wrong with the arguments; then the result is of no use. */
export function expandForm(
  given: Values,
  nestings: (argument: string) => Nesting,
  problems: Problem[],
  max_length = MAX_LENGTH,
): string {
  const form: Form = { fields: [], owners: new Map(), length: 0, max_length };
  for (const [argument, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    const message = partOfReserved(argument) ?? addArgument(form, argument, value, nestings(argument));
    if (message !== null) problems.push({ field: shortName(argument), message });
  }
  return problems.length > 0 ? '' : new URLSearchParams(form.fields).toString();
}

export const shortName = (name: string) => name.slice(0, LONGEST_NAME).toWellFormed();

/** `member_id[]` would be read together with `member_id`. The variable itself is set by the service. */
export const partOfReserved = (name: string): Result =>
  !isReserved(name) && isReserved(rootOfName(name)) ? 'is part of a field that only toolgate sets' : null;

function addArgument(form: Form, argument: string, value: unknown, nesting: Nesting): Result {
  if (Array.isArray(value)) return addList(form, argument, value, nesting);
  if (!isObject(value)) return addField(form, argument, argument, value);
  if (nesting.object === null) return 'must not be an object: it cannot be written in this style';
  if (nesting.object === 'json') return addField(form, argument, argument, JSON.stringify(value));
  if (nesting.object === 'nested') return addNested(form, argument, argument, value, 0);
  return addMembers(value, (name, member) =>
    isReserved(name) ? 'has a field that only toolgate sets' : addNested(form, argument, name, member, 0),
  );
}

function addList(form: Form, argument: string, list: unknown[], { list: way, separator = ',' }: Nesting): Result {
  if (way === 'json') return addField(form, argument, argument, JSON.stringify(list));
  if (way === 'nested') return addNested(form, argument, argument, list, 0);
  const items = list.filter((item) => item !== null);
  if (items.some((item) => typeof item === 'object')) return NO_OBJECTS;
  if (way === 'join') return items.length === 0 ? null : addField(form, argument, argument, items.join(separator));
  const name = way === 'brackets' ? `${argument}[]` : argument;
  return first(items, (item) => addField(form, argument, name, item));
}

function addNested(form: Form, argument: string, name: string, value: unknown, depth: number): Result {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'object') return addField(form, argument, name, value);
  if (depth === MAX_NESTING) return `must not be nested more than ${MAX_NESTING} levels deep`;
  const add = (step: string | number, member: unknown) =>
    addNested(form, argument, `${name}[${step}]`, member, depth + 1);
  if (!Array.isArray(value)) return addMembers(value, add);
  return first(value.entries(), ([at, member]) => add(at, member));
}

/** A bracket in a name would make it another field. */
const addMembers = (value: object, add: (name: string, member: unknown) => Result): Result =>
  first(Object.entries(value), ([name, member]) =>
    /[[\]]/.test(name) ? 'must not have fields whose names contain [ or ]' : add(name, member),
  );

function addField(form: Form, argument: string, name: string, value: unknown): Result {
  const text = String(value);
  form.length += name.length + text.length;
  if (form.length > form.max_length) return `makes the body longer than ${form.max_length} characters`;
  if (!name.isWellFormed() || !text.isWellFormed()) return NOT_TEXT;
  const owner = form.owners.get(name);
  if (owner !== undefined && owner !== argument)
    return `becomes the field ${shortName(name)}, which ${shortName(owner)} is too`;
  form.owners.set(name, argument);
  form.fields.push([name, text]);
  return null;
}

function first<Item>(items: Iterable<Item>, add: (item: Item) => Result): Result {
  for (const item of items) {
    const problem = add(item);
    if (problem !== null) return problem;
  }
  return null;
}
