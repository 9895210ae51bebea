// The event of log streams. Other changes to them have an audit entry only.

import type { EventKind } from '../events/event-kind.ts';
import { exampleTime } from '../examples.ts';
import { exampleIds } from '../ids.ts';
import { logStream } from './log-stream.ts';

export const logStreamEvents = {
  'log_stream.disabled': {
    description: 'A log stream was disabled because its receiver accepted nothing for five days',
    data: logStream,
    example: {
      object: 'log_stream',
      id: exampleIds.log_stream_id,
      project_id: exampleIds.project_id,
      name: 'Calls to the data lake',
      kind: 'https',
      source: 'tool_calls',
      endpoint: 'https://logs.example.com/toolgate',
      header_names: [],
      bucket: null,
      region: null,
      prefix: null,
      access_key_id: null,
      certificate_id: null,
      flush_seconds: 5,
      is_enabled: false,
      disabled_reason: 'failing',
      lag_seconds: 432_000,
      failing_since: '2026-11-10T12:00:00.000000Z',
      last_error: {
        code: 'status',
        message: 'The receiver returned 503.',
        status: 503,
        created_at: exampleTime,
      },
      previous_secret_ends_at: null,
      last_sent_at: '2026-11-10T11:59:55.000000Z',
      last_entry_id: 'call_4fTq0cDkXv8mWn2ZbR6yLs',
      created_at: exampleTime,
      created_by: 'root',
      updated_at: exampleTime,
    },
    readable_with: 'admin',
  },
} satisfies Record<string, EventKind>;
