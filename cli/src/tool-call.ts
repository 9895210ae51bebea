// toolgate tools call: calls a tool as a model would, and prints its response.

import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { CustomTool, Task, ToolExecutionResult, Toolgate } from '../../sdk/src/index.ts';
import { connect } from './client.ts';
import { customCommand, textOption } from './command.ts';
import type { Context } from './context.ts';
import { jsonOrText, parseBoolean, splitAssignment } from './fields.ts';
import { uploadFile } from './file-transfer.ts';
import { memberSession, signingOptions } from './member-session.ts';
import { printJson, printText, say, wantsJson } from './output.ts';
import { showProgress } from './progress.ts';
import { readObject } from './read-input.ts';

type Assignment = [name: string, value: string];

export const toolCallCommand = customCommand('call', 'executeCustomTool', {
  description: 'call a tool and print its response',
  options: {
    arg: {
      flags: '--arg <name=value>',
      description: 'an argument; repeatable. For a file: name=@path uploads it',
      parse: collect,
    },
    input: textOption('--input <file>', 'a file with all arguments in JSON or YAML; - for stdin'),
    as: textOption(
      '--as <member>',
      'call the tool for this user: your own id; requires a key created from an integration',
    ),
    raw: {
      flags: '--raw <true|false>',
      description: "the whole response, without applying the tool's `response` rule; requires the permission write",
      parse: parseBoolean,
    },
    wait: {
      flags: '--wait',
      description: 'wait for the result if the call goes on as a task, with its progress',
      parse: () => true,
    },
    ...signingOptions,
  },
  async run({ context, toolgate, project, connection, ids: { tool_id }, options }, command) {
    const given = options.input === undefined ? {} : await readObject(context, options.input);
    const tool = await toolgate.customTools.get(tool_id);
    let caller = toolgate;
    if (options.as !== undefined) {
      const { session_token: key } = await memberSession(context, toolgate, project, options.as, options);
      caller = connect({ ...connection, key, project });
    }
    const args = { ...given, ...(await typedArguments(caller, options.arg ?? [], tool)) };
    const filters = options.raw ? { raw: true } : undefined;
    const progress = showProgress(context);
    const onProgress = (task: Task) => progress.onProgress(progressOf(task));
    const call = () => caller.customTools.execute(tool_id, args, { wait: options.wait === true, onProgress }, filters);
    const result = await call().finally(progress.end);
    if (wantsJson(command)) printJson(context, result);
    else if ('task' in result) printTask(context, result.task);
    else printResponse(context, result);
  },
});

/** Many APIs count to 100; of another number nobody knows the end. */
const progressOf = ({ message, progress }: Task) => ({
  step: message ?? 'working',
  done: progress ?? 0,
  total: progress !== null && progress <= PERCENT ? PERCENT : null,
});

const PERCENT = 100;

function printTask(context: Context, { id, tool_name }: Task): void {
  printText(context, id);
  say(context, `${tool_name} is still working: npx toolgate tasks get ${id} shows its result, or call it with --wait.`);
}

function collect(text: string, previous: Assignment[] = []): Assignment[] {
  const assignment = splitAssignment(text);
  if (previous.some(([name]) => name === assignment[0]))
    throw new InvalidArgumentError(`${assignment[0]} is given twice.`);
  return [...previous, assignment];
}

type Property = { type?: unknown; format?: unknown };

/** `--arg id=7` is a text if the schema of the tool says so, and a number otherwise. A file is uploaded by who calls. */
async function typedArguments(
  caller: Toolgate,
  given: readonly Assignment[],
  { input_schema }: CustomTool,
): Promise<Record<string, unknown>> {
  const { properties = {} } = input_schema as { properties?: Record<string, Property | boolean> };
  const args: Record<string, unknown> = {};
  for (const [name, value] of given) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const { type, format } = typeof property === 'object' ? property : ({} as Property);
    const isFile = type === 'string' && (format === 'file' || format === 'binary');
    if (isFile && value.startsWith('@')) args[name] = (await uploadFile(caller, value.slice(1))).id;
    else args[name] = type === 'string' ? value : jsonOrText(value);
  }
  return args;
}

function printResponse(context: Context, result: ToolExecutionResult): void {
  const { body, file, truncated, status, duration_ms, result_tokens, shaped_tokens } = result;
  if (file) printText(context, file.url);
  else if (typeof body === 'string') printText(context, body);
  else printJson(context, body);
  const tokens = result_tokens === shaped_tokens ? '' : ` About ${shaped_tokens} of ${result_tokens} tokens.`;
  const about = file ? ` ${file.name} (${file.content_type}, ${file.size} bytes), until ${file.url_expires_at}.` : '';
  const next = result.truncation?.next;
  const more = next ? ` The next page: --arg ${next.argument}=${next.value}.` : '';
  say(
    context,
    `Status ${status} after ${duration_ms} ms.${about}${tokens}${truncated ? ' The response was too long and is cut off.' : ''}${more}`,
  );
}
