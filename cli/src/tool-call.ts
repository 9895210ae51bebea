// toolgate tools call: calls a tool as a model would, and prints its answer.

import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import type { CustomTool, ToolExecutionResult } from '../../sdk/src/index.ts';
import { connect, projectClient } from './client.ts';
import { jsonOrText, parserOf, readFields, splitAssignment } from './fields.ts';
import { memberSession, signingFields } from './member-session.ts';
import { printJson, printLine, say, wantsJson } from './output.ts';
import { readObject } from './read-input.ts';

type Assignment = [name: string, value: string];

export function addToolCallCommand(group: Command): void {
  const command = group
    .command('call')
    .argument('<name>', 'name or id of the tool')
    .description('call a tool and print its answer')
    .option('--arg <name=value>', 'an argument; repeat it', collect, [])
    .option('--input <file>', 'a file with all arguments in JSON or YAML; - for stdin')
    .option('--as <member>', 'on behalf of this person: your own id; needs a key created from an integration');
  for (const field of signingFields)
    (command as unknown as Command).option(field.flag, field.description, parserOf(field));
  command.action(async (name, options) => {
    const { toolgate, project, connection } = await projectClient(command);
    const given = options.input === undefined ? {} : await readObject(options.input);
    const args = { ...given, ...typedArguments(options.arg, await toolgate.customTools.get(name)) };
    let caller = toolgate;
    if (options.as !== undefined) {
      const signing = await readFields(signingFields, options);
      const { session_token: key } = await memberSession(toolgate, project, options.as, signing);
      caller = connect({ ...connection, key, project });
    }
    const result = await caller.customTools.execute(name, args);
    if (wantsJson(command)) printJson(result);
    else printAnswer(result);
  });
}

function collect(text: string, previous: Assignment[]): Assignment[] {
  const assignment = splitAssignment(text);
  if (previous.some(([name]) => name === assignment[0]))
    throw new InvalidArgumentError(`${assignment[0]} is given twice.`);
  return [...previous, assignment];
}

/** `--arg id=7` is a text if the schema of the tool says so, and a number otherwise. */
function typedArguments(given: readonly Assignment[], { input_schema }: CustomTool): Record<string, unknown> {
  const { properties = {} } = input_schema as { properties?: Record<string, { type?: unknown } | boolean> };
  const isText = (name: string) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return typeof property === 'object' && property.type === 'string';
  };
  return Object.fromEntries(given.map(([name, value]) => [name, isText(name) ? value : jsonOrText(value)]));
}

function printAnswer({ body, truncated, status, duration_ms }: ToolExecutionResult): void {
  if (typeof body === 'string') printLine(body);
  else printJson(body);
  say(`Status ${status} after ${duration_ms} ms.${truncated ? ' The answer was too long and is cut off.' : ''}`);
}
