// One command of a resource, such as `keys list`: made from an operation of the API, which says its arguments, its options and their
// types, and which method of the SDK it calls. A command adds what is special to it.

import { Argument, type Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Toolgate } from '../../sdk/src/index.ts';
import { type Connection, connect, connectionOf, findProject } from './client.ts';
import type { Context } from './context.ts';
import { collectAssignment, flagOf, kebab, parseChoice, parseNumber, phrase, readFields } from './fields.ts';
import { type Ids, type Operation, type OperationId, operations, type Request, type Row } from './operation.ts';
import { printFields, printJson, printTable, say, textOf, wantsJson } from './output.ts';

/** Adds a command to its group. */
export type AddCommand = (group: Command, context: Context) => void;

/** Commands that share a name, such as `keys`. */
export type Group = { name: string; description: string; commands: readonly AddCommand[] };

/** An option that is not a field of the operation. */
export type OwnOption<T> = { flags: string; description: string; parse(text: string, previous: T | undefined): T };

export const textOption = (flags: string, description: string): OwnOption<string> => ({
  flags,
  description,
  parse: (text) => text,
});

export const choiceOption = <T extends string>(
  flags: string,
  description: string,
  choices: readonly T[],
): OwnOption<T> => ({ flags, description, parse: (text) => parseChoice(text, choices) });

type OwnOptions = Record<string, OwnOption<unknown>>;
type NoOptions = Record<never, never>;
type ValuesOf<Own> = { [Name in keyof Own]?: Own[Name] extends OwnOption<infer T> ? T : never };

type Spec<Name, Argument, Open, Own> = {
  /** The summary of the operation by default. */
  description?: string;
  /** The fields that are options. Whether one is required, what it may be and its description are in the contract. */
  flags?: readonly Name[];
  /** Takes every other field too, by --set and --data. */
  isOpen?: Open;
  /** The field that is the last argument, and its name in the usage. */
  argument?: { field: Argument; name: string };
  options?: Own;
  /** The command does not work on one project. */
  isGlobal?: true;
  /** The argument is the project, instead of --project and the key's own. */
  project?: '<id>' | '[id]';
};

/** What a command was given. The types of the fields are those of the contract, but only the API validates them. */
type Given<Id extends OperationId, Name, Argument, Open, Own> = {
  context: Context;
  toolgate: Toolgate;
  connection: Connection;
  project: string;
  ids: Ids<Id>;
  fields: FieldsOf<Request<Id>, Name, Argument, Open>;
  options: ValuesOf<Own>;
};

type FieldsOf<Sent, Name, Argument, Open> = (Open extends true ? Sent : Pick<Sent, Extract<Name, keyof Sent>>) &
  Required<Pick<Sent, Extract<Argument, keyof Sent>>>;

const DEFAULT_LIMIT = 100;
const LARGEST_PAGE = 100;

/** Prints one resource, or says that it is done if the API returns nothing. */
export function command<
  Id extends OperationId,
  const Name extends keyof Request<Id> = never,
  const Argument extends keyof Request<Id> = never,
  const Open extends boolean = false,
  Own extends OwnOptions = NoOptions,
>(
  name: string,
  id: Id,
  spec: Spec<Name, Argument, Open, Own> & {
    /** The method of the SDK for the operation by default. */
    call?(given: Given<Id, Name, Argument, Open, Own>): Promise<unknown>;
  } = {},
): AddCommand {
  return customCommand(name, id, {
    ...spec,
    async run(given, command) {
      const { context } = given;
      const response = await (spec.call?.(given) ?? callMethod(id, given, spec.project !== undefined));
      if (typeof response === 'object' && response !== null) {
        if (wantsJson(command)) printJson(context, response);
        else printFields(context, response);
      } else if (wantsJson(command)) printJson(context, { id: command.args.at(-1), done: true });
      else say(context, 'Done.');
    },
  });
}

/** Prints a list of resources: a table, or one JSON array. */
export function listCommand<
  Id extends OperationId,
  const Name extends keyof Request<Id> = never,
  Own extends OwnOptions = NoOptions,
>(
  name: string,
  id: Id,
  spec: Spec<Name, never, false, Own> & {
    columns: readonly (keyof Row<Id> & string)[];
    call?(given: Given<Id, Name, never, false, Own> & { fields: { limit: number } }): AsyncIterable<object>;
  },
): AddCommand {
  return customCommand(name, id, {
    ...spec,
    isList: true,
    async run({ fields: filters, ...rest }, command) {
      const { context } = rest;
      const { limit = DEFAULT_LIMIT, all }: { limit?: number; all?: true } = command.opts();
      const most = all ? Number.POSITIVE_INFINITY : limit;
      const given = { ...rest, fields: { ...filters, limit: Math.min(most, LARGEST_PAGE) } };
      const { found, hasMore } = await take(spec.call?.(given) ?? callMethod(id, given), most);
      const columns = spec.columns.map((title) => ({ title, text: (row: object) => textOf(Reflect.get(row, title)) }));
      if (wantsJson(command)) printJson(context, found);
      else printTable(context, columns, found);
      if (hasMore) say(context, `There are more than ${most}: use --all or a higher --limit.`);
    },
  });
}

/** Calls the method of the SDK that is the operation: with the ids of its path, and then what is sent. */
function callMethod(
  id: OperationId,
  given: { toolgate: Toolgate; project: string; ids: object; fields: object },
  takesProject = false,
) {
  const { method = '', fields } = operations[id];
  const found = method.split('.').reduce<unknown>((place, name) => Reflect.get(Object(place), name), given.toolgate);
  if (typeof found !== 'function') throw new Error(`the SDK has no method for ${id}`);
  const ids = takesProject ? [given.project] : Object.values(given.ids);
  return found(...ids, ...(Object.keys(fields).length > 0 ? [given.fields] : []));
}

async function take(list: AsyncIterable<object>, most: number): Promise<{ found: object[]; hasMore: boolean }> {
  const found: object[] = [];
  for await (const each of list) {
    if (found.length >= most) return { found, hasMore: true };
    found.push(each);
  }
  return { found, hasMore: false };
}

/** Prints by itself what it does. */
export function customCommand<
  Id extends OperationId,
  const Name extends keyof Request<Id> = never,
  const Argument extends keyof Request<Id> = never,
  const Open extends boolean = false,
  Own extends OwnOptions = NoOptions,
>(
  name: string,
  id: Id,
  spec: Spec<Name, Argument, Open, Own> & {
    isList?: true;
    run(given: Given<Id, Name, Argument, Open, Own>, command: CommandUnknownOpts): Promise<void>;
  },
): AddCommand {
  return (group, context) => {
    const { ids, fields, summary } = operations[id];
    const command = group.command(name).description(spec.description ?? phrase(summary));
    for (const argument of argumentsOf(operations[id], spec)) command.addArgument(argument);
    const flags = (spec.flags ?? []).map((field) => flagOf(context, String(field), fields));
    const own = Object.entries(spec.options ?? {}).map(([key, { flags, description, parse }]) => {
      return { key, option: new Option(flags, description).argParser(parse) };
    });
    for (const { option } of [...flags, ...own]) command.addOption(option);
    if (spec.isOpen) {
      command.option('--set <field=value>', 'any field of the API; repeatable', collectAssignment);
      command.option('--data <file>', 'a file with fields in JSON or YAML; - for stdin');
    }
    if (spec.isList) {
      command.option('--limit <n>', `maximum number, ${DEFAULT_LIMIT} by default`, parseNumber);
      command.option('--all', 'all of them');
    }
    command.action(async () => {
      const words = command.args;
      const body = await readFields(context, command, flags);
      if (spec.argument) body[String(spec.argument.field)] = words[ids.length];
      const connection = connectionOf(context, command);
      if (spec.project && words[0] !== undefined) connection.project = words[0];
      const project = spec.isGlobal ? '' : await findProject(connection);
      const given = {
        context,
        toolgate: connect({ ...connection, project: project || undefined }),
        connection,
        project,
        ids: Object.fromEntries(
          ids.map(({ name, kind }, at) => [name, kind === 'number' ? Number(words[at]) : words[at]]),
        ),
        fields: body,
        options: Object.fromEntries(
          own.map(({ key, option }) => [key, command.getOptionValue(option.attributeName())]),
        ),
      };
      // The names are those of the operation. Their values are validated by the API, which says what is wrong.
      await spec.run(given as Given<Id, Name, Argument, Open, Own>, command);
    });
  };
}

/** Where the usage does not say `<id>` for the first, and the name of the parameter for the others. */
const argumentNames: Record<string, string> = { tool_id: 'id-or-name', request_id: 'request-id', version: 'number' };

function argumentsOf(
  { ids, fields }: Operation,
  { argument, project }: Spec<PropertyKey, PropertyKey, boolean, unknown>,
) {
  const found = ids.map(({ name }, at) => new Argument(`<${argumentNames[name] ?? (at === 0 ? 'id' : kebab(name))}>`));
  if (project) found.push(new Argument(project));
  if (argument) {
    const { choices } = fields[String(argument.field)] ?? {};
    const last = new Argument(`<${choices?.join('|') ?? argument.name}>`);
    found.push(choices ? last.choices(choices) : last);
  }
  return found;
}
