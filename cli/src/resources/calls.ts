// toolgate calls: the call log.

import type { Command } from '@commander-js/extra-typings';
import type { ToolCall } from '../../../sdk/src/index.ts';
import { projectClient } from '../client.ts';
import { type Field, parserOf, readFields } from '../fields.ts';
import { untilInterrupted } from '../live.ts';
import { paint, printLine, say, wantsJson } from '../output.ts';
import { addListVerb, addVerb } from '../verb.ts';

const filters: Field[] = [
  { flag: '--tool <id>', field: 'tool_id', description: 'only of this tool' },
  { flag: '--member <id>', field: 'member_id', description: 'only of this member' },
  { flag: '--integration <id>', field: 'integration_id', description: 'only of this integration' },
  { flag: '--api-key-id <id>', field: 'api_key_id', description: 'only of this API key' },
  { flag: '--outcome <outcome>', field: 'outcome', description: 'succeeded or failed' },
  { flag: '--error-code <code>', field: 'error_code', description: 'only with this error' },
];

export function addCallsCommand(program: Command): void {
  const group = program.command('calls').description('the log of tool calls');
  addListVerb(group, {
    usage: 'list',
    description: 'list tool calls, newest first',
    columns: ['id', 'created_at', 'tool_name', 'outcome', 'status', 'duration_ms', 'error_code', 'member_id'],
    fields: [
      ...filters,
      { flag: '--from <time>', field: 'from', description: 'since this time' },
      { flag: '--to <time>', field: 'to', description: 'before this time' },
    ],
    run: ({ toolgate, fields }) => toolgate.toolCalls.list(fields),
  });
  addVerb(group, {
    usage: 'get <id>',
    description: 'show a call, with arguments and result if the project keeps them',
    run: ({ toolgate, args }) => toolgate.toolCalls.get(String(args[0])),
  });
  addTailCommand(group);
}

function addTailCommand(group: Command): void {
  const command: Command = group.command('tail').description('show calls as they are made, until Ctrl-C');
  for (const field of filters) command.option(field.flag, field.description, parserOf(field));
  command.action(async () => {
    const wanted = (await readFields(filters, command.opts())) as never;
    const isJson = wantsJson(command);
    const { toolgate } = await projectClient(command);
    await untilInterrupted(async (signal) => {
      // Begins after the newest call of now, so that none is lost until the stream is open.
      const [newest] = (await toolgate.toolCalls.list({ limit: 1 }, { signal })).data;
      say('Waiting for calls. Ctrl-C ends.');
      for await (const call of toolgate.toolCalls.stream(wanted, { signal, lastEventId: newest?.id }))
        printLine(isJson ? JSON.stringify(call) : lineOf(call));
    });
  });
}

function lineOf({ created_at, tool_name, outcome, status, duration_ms, error_code, member_id, id }: ToolCall): string {
  const colour = outcome === 'succeeded' ? 'green' : 'red';
  const result = paint(process.stdout, colour, error_code ?? outcome);
  return [created_at, tool_name, status, result, `${duration_ms} ms`, member_id ?? '-', id].join('\t');
}
