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
    "Events of type `tool_call`: `id` is the call's id, `data` the call as JSON. A comment is sent every 15 seconds.",
  content: { 'text/event-stream': { schema: z.string(), example: EXAMPLE } },
};

export const analyticsRoutes = defineRoutes({
  listToolCalls: {
    method: 'GET',
    path: '/projects/:project_id/tool-calls',
    access: 'read',
    tag: callLog,
    summary: "List a project's tool calls, newest first",
    description:
      'Every tool call over REST and MCP: who called, how it ended and where the time went. A call appears at most 2 seconds after its response. Filters are combined with AND. `from` is inclusive, `to` is exclusive. Calls are kept for `TOOLGATE_CALL_LOG_DAYS` days.',
    query: toolCallQuery,
    response: pageOf(toolCallEntry),
  },
  getToolCall: {
    method: 'GET',
    path: '/projects/:project_id/tool-calls/:call_id',
    access: 'read',
    tag: callLog,
    summary: 'Get a tool call',
    description:
      'One call from the log. If the project setting `record_payloads` was on, an `admin` key also gets `arguments` and `result`, with fields in `redact_fields` and everything that looks like a credential replaced. If the daily limit for recorded payloads was reached, it gets `not_recorded_reason` instead.',
    response: toolCallDetails,
  },
  streamToolCalls: {
    method: 'GET',
    path: '/projects/:project_id/tool-calls/stream',
    access: 'read',
    tag: callLog,
    summary: "Stream a project's tool calls live",
    description:
      'Server-sent events that stay open until the client disconnects or its credential expires or is revoked. A client that reconnects with `Last-Event-ID` continues after that call; with an unknown id, it starts with new calls. A project can have at most 100 streams per server, and the projects of an organization 300 together.',
    headers: z.looseObject({
      'last-event-id': z
        .string()
        .optional()
        .meta({ description: 'Continue after this call; with an unknown id, start with new calls' }),
    }),
    query: toolCallStreamQuery,
    response: eventStream,
    errors: ['limitReached'],
  },
  getPayloadUsage: {
    method: 'GET',
    path: '/projects/:project_id/payload-usage',
    access: 'read',
    tag: callLog,
    summary: 'Get the usage of the daily limit for recorded payloads',
    description:
      'A project with `record_payloads` on records at most 256 MiB of arguments and results per UTC day, counted before encryption. After that, calls are logged without them and have `not_recorded_reason`.',
    response: payloadUsage,
  },
  getAnalytics: {
    method: 'GET',
    path: '/projects/:project_id/analytics',
    access: 'read',
    tag: 'Analytics',
    summary: 'Count calls, errors and durations over time',
    description:
      'Tool calls in intervals of a minute, an hour or a day, in total or by group, with the same numbers for the previous period. Default: the last 24 hours by hour. Counts are exact, quantiles are within 5 %. If the interval is too fine, the request is refused with 422, and `details.finest_interval` is the finest that is possible: at most 2,000 intervals, and by minute and member at most 20,000 calls. A query that takes longer than 2 seconds is refused with 503 and the reason `read_took_too_long`.',
    query: analyticsQuery,
    response: analytics,
  },
  getResultReport: {
    method: 'GET',
    path: '/projects/:project_id/analytics/results',
    access: 'read',
    tag: 'Analytics',
    summary: 'Get the tools with the largest results and the most limited callers',
    description:
      "The tools whose results have the most tokens, before and after the tool's `response` rule, and the callers that tool limits refused most often. Default: the last 24 hours. If the period has more calls, only the newest 20,000 are counted, starting at `counted_from`.",
    query: resultReportQuery,
    response: resultReport,
  },
  listRefusedRequests: {
    method: 'GET',
    path: '/projects/:project_id/requests',
    access: 'read',
    tag: requests,
    summary: 'List refused requests, newest first',
    description:
      'Traces of refused requests from the last 24 hours that had a known credential and did not become a tool call, such as a 401 for a revoked key or a 429. At most 60 per minute are kept for each error code. ' +
      'Failed tool calls are in the call log.',
    query: requestTraceQuery,
    response: pageOf(requestTrace),
  },
  getRequestTrace: {
    method: 'GET',
    path: '/projects/:project_id/requests/:request_id',
    access: 'read',
    tag: requests,
    summary: 'Explain why a request was refused, step by step',
    description:
      'Shows how far a request got: the outcome of each step, and for the step that failed a reason for programs and a remedy for people. ' +
      'Every tool call has a trace for 24 hours, and so does every other refused request with a known credential, up to 60 per minute for each error code. ' +
      'Only `admin` sees why an API could not be reached and, if the project records payloads, its response to a failed call.',
    response: requestTrace,
    errors: ['validation'],
  },
});

export const callAnalytics = defineResource({
  chapters: {
    'Call log': 'Every tool call: who made it, how it ended and where the time went',
    Requests: 'Why a request was refused',
    Analytics: 'Calls, errors and durations over time',
  },
  routes: analyticsRoutes,
});
