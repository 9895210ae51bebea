// Options that become fields of a request: `--name`, and for all others `--set field=value` and `--data FILE`.

import { type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Context } from './context.ts';
import { UsageError } from './failure.ts';
import type { Field, Operation } from './operation.ts';
import { readObject } from './read-input.ts';

/** An option, and the field that it gives a value to. */
export type Flag = { field: string; option: Option; isRequired: boolean };

type Parser = (text: string, previous: unknown, context: Context) => unknown;
type Special = { flags: string; description?: string; parse?: Parser };

/** Where the name of the field is not a good name for an option, and secrets: a command line is seen by others. */
const special: Record<string, Special> = {
  endpoint_path: { flags: '--path <path>' },
  tool_id: { flags: '--tool <id>' },
  member_id: { flags: '--member <id>' },
  integration_id: { flags: '--integration <id>' },
  encrypted_auth_secret: {
    flags: '--secret-env <name>',
    description: "the environment variable that contains the strategy's secret",
    parse: (text, _, context) => readSecret(context, text),
  },
  client_secret: {
    flags: '--secret-env <name>',
    description: "the environment variable that contains the client's secret",
    parse: (text, _, context) => readSecret(context, text),
  },
  secret_access_key: {
    flags: '--secret-env <name>',
    description: 'the environment variable that contains the secret access key',
    parse: (text, _, context) => readSecret(context, text),
  },
  headers: {
    flags: '--header-env <name=variable>',
    description: 'a header for every delivery, and the environment variable that contains its value; repeatable',
    parse(text, previous, context) {
      const [name, variable] = splitAssignment(text);
      return { ...asObject(previous), [name]: readSecret(context, variable) };
    },
  },
};

export function flagOf(context: Context, name: string, fields: Operation['fields']): Flag {
  const field = fields[name];
  if (field === undefined) throw new Error(`${name} is not in operations.json: run npm run docs`);
  const {
    flags,
    description = describe(field),
    parse = parserOf(field),
  } = special[name] ?? {
    flags: `--${kebab(name.replace(/^is_/, ''))} <${placeholder(name, field)}>`,
  };
  return {
    field: name,
    option: new Option(flags, description).argParser((text, previous: unknown) => parse(text, previous, context)),
    isRequired: field.is_required === true,
  };
}

export function kebab(name: string): string {
  return name.replaceAll('_', '-');
}

/** The last word of the name, such as `<id>` or `<code>`, unless the kind says more. */
function placeholder(name: string, { kind }: Field): string {
  if (kind === 'number') return 'n';
  if (kind === 'boolean') return 'true|false';
  if (kind !== 'text') return kind;
  return ['name', 'description', 'search'].includes(name) ? 'text' : (name.split('_').at(-1) ?? 'text');
}

const FEW_CHOICES = 10;

/** As in the contract, with what may be chosen and the default. */
function describe({ kind, description, choices = [], example, default: preset }: Field): string {
  const text = phrase(description);
  const few = choices.length > FEW_CHOICES ? [] : choices;
  const remarks = [
    ...(few.length > 0 ? [`${few.slice(0, -1).join(', ')} ${kind === 'list' ? 'and' : 'or'} ${few.at(-1)}`] : []),
    ...(few.length === 0 && example !== undefined ? [`such as ${example}`] : []),
    ...(kind === 'list' ? ['separated by commas'] : []),
    ...(preset !== undefined && !text.includes('by default') ? [`${preset} by default`] : []),
  ];
  return remarks.length === 0 ? text : `${text} (${remarks.join('; ')})`;
}

/** A text of the contract as commander's help has them: without Markdown, and beginning with a small letter. */
export function phrase(text: string): string {
  const plain = text.replaceAll('`', '');
  return /^[A-Z][a-z ]/.test(plain) ? plain.charAt(0).toLowerCase() + plain.slice(1) : plain;
}

function parserOf({ kind, choices, word }: Field): Parser {
  const check = (text: string) => (choices ? parseChoice(text, choices) : text);
  if (kind === 'list')
    return (text, previous) =>
      text === word ? text : [...(Array.isArray(previous) ? previous : []), ...splitList(text).map(check)];
  if (kind === 'number') return parseNumber;
  return kind === 'boolean' ? parseBoolean : check;
}

export function parseChoice<T extends string>(text: string, choices: readonly T[]): T {
  const chosen = choices.find((choice) => choice === text);
  if (chosen === undefined) throw new InvalidArgumentError(`It must be one of ${choices.join(', ')}.`);
  return chosen;
}

export function parseNumber(text: string): number {
  if (text.trim() === '' || !Number.isFinite(Number(text))) throw new InvalidArgumentError('It must be a number.');
  return Number(text);
}

export function parseBoolean(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('It must be true or false.');
  return text === 'true';
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** A secret on the command line would be visible in the list of processes and in the history of the shell. */
export function readSecret(context: Context, name: string): string {
  const value = context.environment[name];
  if (!value) throw new InvalidArgumentError(`The environment variable ${name} is not set.`);
  return value;
}

/** `--data` first, then `--set`, then the options with a name of their own: the more specific one wins. */
export async function readFields(
  context: Context,
  command: CommandUnknownOpts,
  flags: readonly Flag[],
): Promise<Record<string, unknown>> {
  const { data, set } = command.opts();
  const named = flags.map(({ field, option }) => [field, command.getOptionValue(option.attributeName())] as const);
  const body = {
    ...(typeof data === 'string' ? await readObject(context, data) : {}),
    ...asObject(set),
    ...Object.fromEntries(named.filter(([, value]) => value !== undefined)),
  };
  const missing = flags.filter(({ isRequired, field }) => isRequired && !(field in body));
  if (missing.length > 0)
    throw new UsageError(`required option '${missing.map(({ option }) => option.flags).join("', '")}' not specified`);
  return body;
}

/** For an option that may be repeated. */
export function collectText(text: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), text];
}

/** Collects `--set field=value`. A value that is JSON, such as `5`, `true` or `{"a": 1}`, is taken as such. */
export function collectAssignment(
  text: string,
  previous: Record<string, unknown> | undefined,
): Record<string, unknown> {
  const [name, value] = splitAssignment(text);
  return { ...previous, [name]: jsonOrText(value) };
}

export function splitAssignment(text: string): [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must have the form name=value.');
  return [text.slice(0, at), text.slice(at + 1)];
}

export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
