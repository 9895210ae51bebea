// One command of a resource, such as `keys list`: its options, the call of the SDK, and how its answer is printed.

import type { Command, CommandUnknownOpts } from '@commander-js/extra-typings';
import type { List, Toolgate } from '../../sdk/src/index.ts';
import { connect, connectionOf, findProject } from './client.ts';
import { collectAssignment, type Field, parserOf, readFields } from './fields.ts';
import { printFields, printJson, printTable, say, textOf, wantsJson } from './output.ts';

type Fields = Record<string, unknown>;

/** `fields` is typed `never` for the SDK: the API validates what people write, and names the field that is wrong. */
export type Input = { toolgate: Toolgate; project: string; args: readonly string[]; fields: never };

type VerbOptions = {
  /** As commander writes it: `get <id>`. */
  usage: string;
  description: string;
  fields?: readonly Field[];
  /** Takes every other field too, by --set and --data. */
  isOpen?: boolean;
  /** The command does not work on one project. */
  isGlobal?: boolean;
  /** The first argument is the project, instead of --project and the key's own. */
  takesProject?: boolean;
};

type Verb = VerbOptions & { run(input: Input): Promise<unknown> };
type ListVerb<Row> = VerbOptions & { columns: readonly (keyof Row & string)[]; run(input: Input): List<Row> };

const DEFAULT_LIMIT = 100;
const LARGEST_PAGE = 100;

/** Prints one resource, or says that it is done if the API answers nothing. */
export function addVerb(group: Command, verb: Verb): void {
  addCommand(group, verb, async (command, input) => {
    const answer = await verb.run(input);
    if (answer === undefined) {
      if (wantsJson(command)) printJson({ id: input.args.at(-1), done: true });
      else say('Done.');
    } else if (wantsJson(command)) printJson(answer);
    else printFields(answer as Fields);
  });
}

/** Prints a list of resources: a table, or one JSON array. */
export function addListVerb<Row>(group: Command, verb: ListVerb<Row>): void {
  const limit: Field = { flag: '--limit <n>', field: 'limit', description: 'how many, 100 by default', kind: 'number' };
  const fields = [...(verb.fields ?? []), limit];
  const command = addCommand(group, { ...verb, fields }, async (command, { fields, ...input }) => {
    const { limit = DEFAULT_LIMIT, ...filters } = fields as { limit?: number };
    const most = command.opts().all ? Number.POSITIVE_INFINITY : limit;
    const list = verb.run({ ...input, fields: { ...filters, limit: Math.min(most, LARGEST_PAGE) } as never });
    const rows = await take(list, most);
    if (wantsJson(command)) printJson(rows.found);
    else printRows(verb.columns, rows.found);
    if (rows.hasMore) say(`There are more than ${most}: give --all or a higher --limit.`);
  });
  command.option('--all', 'all of them');
}

async function take(list: List<unknown>, most: number): Promise<{ found: Fields[]; hasMore: boolean }> {
  const found: Fields[] = [];
  for await (const each of list) {
    if (found.length >= most) return { found, hasMore: true };
    found.push(each as Fields);
  }
  return { found, hasMore: false };
}

function printRows(columns: readonly string[], rows: readonly Fields[]): void {
  printTable(
    columns.map((title) => ({ title, text: (row: Fields) => textOf(row[title]) })),
    rows,
  );
}

type Action = (command: CommandUnknownOpts, input: Input) => Promise<void>;

function addCommand(group: Command, verb: VerbOptions, act: Action): Command {
  const { usage, description, fields = [], isOpen = false, isGlobal = false, takesProject = false } = verb;
  const command: Command = group.command(usage).description(description) as Command;
  for (const field of fields) command.option(field.flag, field.description, parserOf(field));
  if (isOpen) {
    command.option('--set <field=value>', 'any field of the API; repeat it', collectAssignment);
    command.option('--data <file>', 'a file with fields in JSON or YAML; - for stdin');
  }
  command.action(async () => {
    const body = await readFields(fields, command.opts());
    const connection = connectionOf(command);
    if (takesProject && command.args[0] !== undefined) connection.project = command.args[0];
    const project = isGlobal ? '' : await findProject(connection);
    const toolgate = connect({ ...connection, project: project || undefined });
    await act(command, { toolgate, project, args: command.args, fields: body as never });
  });
  return command;
}
