// The texts of the API reference for these routes.

import { routeDocs } from '../../api/route-docs.ts';

export const docs = routeDocs({
  getAnalytics: {
    summary: 'Count calls, errors and durations over time',
    description:
      'Tool calls in intervals of a minute, an hour or a day, in total or by group, with the same numbers for the period before. The last 24 hours by hour unless told otherwise. Counts are exact, quantiles are within 5 %. More than 2,000 intervals are refused with 422.',
  },
  listToolCalls: {
    summary: 'List the tool calls of the project, newest first',
    description:
      'Every call of a custom tool over REST and MCP, at most 2 seconds after its answer, with who called, how it ended and where the time went. Filters are combined with and. `from` is included, `to` is not. Calls are kept for `TOOLGATE_CALL_LOG_DAYS` days.',
  },
  getToolCall: {
    summary: 'Read a tool call',
    description:
      'One call of the log. If the project setting `record_payloads` was on, an `admin` key also gets `arguments` and `result`, with the fields in `redact_fields` and everything that looks like a credential replaced.',
  },
  streamToolCalls: {
    summary: 'Stream the tool calls of the project as they are made',
    description:
      'Server-sent events that stay open until the client disconnects or the credential ends. A client that reconnects with `Last-Event-ID` continues after that call; with an unknown id it begins with now. A project has at most 100 streams on a server.',
  },
});
