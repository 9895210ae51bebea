// toolgate calls: the call log.

import type { ToolCall } from '../../../sdk/src/index.ts';
import { command, customCommand, type Group, listCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { untilInterrupted } from '../live.ts';
import { paint, printLine, say, wantsJson } from '../output.ts';

const filters = [
  'tool_id',
  'member_id',
  'integration_id',
  'api_key_id',
  'outcome',
  'error_code',
  'is_waiting',
  'via',
] as const;

export const calls: Group = {
  name: 'calls',
  description: 'the tool call log',
  commands: [
    listCommand('list', 'listToolCalls', {
      flags: [...filters, 'from', 'to'],
      columns: ['id', 'created_at', 'tool_name', 'outcome', 'status', 'duration_ms', 'error_code', 'member_id'],
    }),
    command('get', 'getToolCall', {
      description: 'show a call, with its arguments and result if the project records them',
    }),
    customCommand('tail', 'streamToolCalls', {
      description: 'show calls as they are made, until Ctrl-C',
      flags: filters,
      run: ({ context, toolgate, fields }, command) =>
        untilInterrupted(context, async (signal) => {
          // Begins after the newest call of now, so that none is lost until the stream is open.
          const [newest] = (await toolgate.toolCalls.list({ limit: 1 }, { signal })).data;
          say(context, 'Waiting for calls. Press Ctrl-C to stop.');
          for await (const call of toolgate.toolCalls.stream(fields, { signal, lastEventId: newest?.id }))
            printLine(context, wantsJson(command) ? JSON.stringify(call) : lineOf(context, call));
        }),
    }),
  ],
};

function lineOf(context: Context, call: ToolCall): string {
  const { created_at, tool_name, outcome, is_waiting, status, duration_ms, error_code, member_id, id } = call;
  const color = outcome === 'succeeded' ? 'green' : is_waiting ? 'yellow' : 'red';
  const result = paint(context, color, error_code ?? outcome);
  return [created_at, tool_name, status, result, `${duration_ms} ms`, member_id ?? '-', id].join('\t');
}
