// Options that become fields of a request: `--name`, and for all others `--set field=value` and `--data FILE`.

import { InvalidArgumentError } from '@commander-js/extra-typings';
import { environment } from './environment.ts';
import { UsageError } from './failure.ts';
import { readObject } from './read-input.ts';

export type FieldKind = 'text' | 'number' | 'boolean' | 'list' | 'environment' | 'environments';

/** `flag` as commander writes it, for example `--name <text>`; `field` as the API spells it. */
export type Field = { flag: string; field: string; description: string; kind?: FieldKind; required?: boolean };

const kinds: Record<FieldKind, (text: string, previous: unknown) => unknown> = {
  text: (text) => text,
  number(text) {
    if (text.trim() === '' || !Number.isFinite(Number(text))) throw new InvalidArgumentError('It must be a number.');
    return Number(text);
  },
  boolean(text) {
    if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('It must be true or false.');
    return text === 'true';
  },
  list: (text, previous) => [
    ...((previous as string[] | undefined) ?? []),
    ...text
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  ],
  environment: readSecret,
  environments(text, previous) {
    const [name, variable] = splitAssignment(text);
    return { ...(previous as Record<string, string> | undefined), [name]: readSecret(variable) };
  },
};

/** A secret on the command line would be visible in the list of processes and in the history of the shell. */
export function readSecret(name: string): string {
  const value = environment[name];
  if (!value) throw new InvalidArgumentError(`The environment has no ${name}.`);
  return value;
}

export function parserOf({ kind = 'text' }: Field): (text: string, previous: unknown) => unknown {
  return kinds[kind];
}

/** The name under which commander keeps the option: `--expires-at <time>` is `expiresAt`. */
function optionName(flag: string): string {
  const long = /--([a-z-]+)/.exec(flag)?.[1] ?? flag;
  return long.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** `--data` first, then `--set`, then the options with a name of their own: the more specific one wins. */
export async function readFields(
  fields: readonly Field[],
  options: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const named = fields.map(({ flag, field }) => [field, options[optionName(flag)]] as const);
  const body = {
    ...(typeof options.data === 'string' ? await readObject(options.data) : {}),
    ...(options.set as Record<string, unknown> | undefined),
    ...Object.fromEntries(named.filter(([, value]) => value !== undefined)),
  };
  const missing = fields.filter(({ required, field }) => required && !(field in body));
  if (missing.length > 0)
    throw new UsageError(`required option '${missing.map(({ flag }) => flag).join("', '")}' not specified`);
  return body;
}

/** Collects `--set field=value`. A value that is JSON, such as `5`, `true` or `{"a": 1}`, is taken as such. */
export function collectAssignment(text: string, previous: unknown): Record<string, unknown> {
  const [name, value] = splitAssignment(text);
  return { ...(previous as Record<string, unknown> | undefined), [name]: jsonOrText(value) };
}

export function splitAssignment(text: string): [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be written name=value.');
  return [text.slice(0, at), text.slice(at + 1)];
}

export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
