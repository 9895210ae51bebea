// /projects/{id}/tool-calls: the call log, and its stream; …/payload-usage: what is recorded of calls today; …/analytics: calls,
// errors and durations over time; …/requests: the requests that were refused, and the trace of one request.

import { z } from 'zod';
import { pageOf } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import { analytics, analyticsQuery } from './analytics.ts';
import { payloadUsage } from './payload-usage.ts';
import { requestTrace, requestTraceQuery } from './request-trace.ts';
import { resultReport, resultReportQuery } from './result-report.ts';
import { toolCallDetails, toolCallEntry, toolCallQuery, toolCallStreamQuery } from './tool-call.ts';

const callLog = 'Call log';
const requests = 'Requests';

const EXAMPLE = 'event: tool_call\nid: call_4fTq0cDkXv8mWn2ZbR6yLs\ndata: {"id":"call_4fTq0cDkXv8mWn2ZbR6yLs",…}\n\n';

const eventStream = {
  description:
    'Events `tool_call`: `id` is the id of the call, `data` the call as JSON. A comment is sent every 15 seconds.',
  content: { 'text/event-stream': { schema: z.string(), example: EXAMPLE } },
};

export const analyticsRoutes = defineRoutes({
  listToolCalls: {
    method: 'GET',
    path: '/projects/:project_id/tool-calls',
    access: 'read',
    tag: callLog,
    summary: 'List the tool calls of the project, newest first',
    description:
      'Every call of a custom tool over REST and MCP, at most 2 seconds after its response, with who called, how it ended and where the time went. Filters are combined with and. `from` is included, `to` is not. Calls are kept for `TOOLGATE_CALL_LOG_DAYS` days.',
    query: toolCallQuery,
    answer: pageOf(toolCallEntry),
  },
  getToolCall: {
    method: 'GET',
    path: '/projects/:project_id/tool-calls/:call_id',
    access: 'read',
    tag: callLog,
    summary: 'Read a tool call',
    description:
      'One call of the log. If the project setting `record_payloads` was on, an `admin` key also gets `arguments` and `result`, with the fields in `redact_fields` and everything that looks like a credential replaced; or `not_recorded_reason`, if the daily limit for recorded payloads was reached.',
    answer: toolCallDetails,
  },
  streamToolCalls: {
    method: 'GET',
    path: '/projects/:project_id/tool-calls/stream',
    access: 'read',
    tag: callLog,
    summary: 'Stream the tool calls of the project as they are made',
    description:
      'Server-sent events that stay open until the client disconnects or the credential ends. A client that reconnects with `Last-Event-ID` continues after that call; with an unknown id it begins with now. A project has at most 100 streams on a server, and the projects of an organization 300.',
    headers: z.looseObject({
      'last-event-id': z.string().optional().meta({ description: 'Continue after this call; if unknown, with now' }),
    }),
    query: toolCallStreamQuery,
    answer: eventStream,
    errors: ['limitReached'],
  },
  getPayloadUsage: {
    method: 'GET',
    path: '/projects/:project_id/payload-usage',
    access: 'read',
    tag: callLog,
    summary: 'Read how much of the daily limit for recorded payloads is used',
    description:
      'A project with `record_payloads` records at most 256 MiB of arguments and results in a day by UTC, counted before encryption. Beyond that, calls are in the log without them, with `not_recorded_reason`.',
    answer: payloadUsage,
  },
  getAnalytics: {
    method: 'GET',
    path: '/projects/:project_id/analytics',
    access: 'read',
    tag: 'Analytics',
    summary: 'Count calls, errors and durations over time',
    description:
      'Tool calls in intervals of a minute, an hour or a day, in total or by group, with the same numbers for the period before. The last 24 hours by hour unless told otherwise. Counts are exact, quantiles are within 5 %. An interval that is too fine is refused with 422 and `details.finest_interval`, the finest that is possible: at most 2,000 intervals, and by minute and member at most 20,000 calls. A question that takes longer than 2 seconds is refused with 503 and the reason `read_took_too_long`.',
    query: analyticsQuery,
    answer: analytics,
  },
  getResultReport: {
    method: 'GET',
    path: '/projects/:project_id/analytics/results',
    access: 'read',
    tag: 'Analytics',
    summary: 'Read which tools cost most tokens, and who is limited most',
    description:
      'The tools whose results have the most tokens, before and after `response` of the tool, and the callers that limits of tools refused most often. The last 24 hours unless told otherwise. In a period with more calls, the newest 20,000 are counted: `counted_from` says since when.',
    query: resultReportQuery,
    answer: resultReport,
  },
  listRefusedRequests: {
    method: 'GET',
    path: '/projects/:project_id/requests',
    access: 'read',
    tag: requests,
    summary: 'List the requests that were refused, newest first',
    description:
      'The traces of the last 24 hours of requests with a known credential that were refused before or instead of a tool call, such as a 401 of a revoked key or a 429; at most 60 a minute of one error code. ' +
      'Failed tool calls are in the call log.',
    query: requestTraceQuery,
    answer: pageOf(requestTrace),
  },
  getRequestTrace: {
    method: 'GET',
    path: '/projects/:project_id/requests/:request_id',
    access: 'read',
    tag: requests,
    summary: 'Explain why a request was refused, step by step',
    description:
      'Shows how far a request came: each step with its outcome, and for the one that failed a reason for programs and a remedy for people. ' +
      'There is a trace of every tool call, and of every other refused request of a known credential, for 24 hours; at most 60 a minute of one error code. ' +
      'Why an API could not be reached is shown to `admin` only, and so is its response to a failed call, if the project records payloads.',
    answer: requestTrace,
    errors: ['validation'],
  },
});

export const callAnalytics = defineResource({
  chapters: {
    'Call log': 'Every tool call: who called, how it ended and where the time went',
    Requests: 'Why a request was refused',
    Analytics: 'Calls, errors and durations over time',
  },
  routes: analyticsRoutes,
});
