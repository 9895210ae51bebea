// Scenarios of the official conformance suite that do not apply to a tool gateway, and why. All others must pass, and each of these
// must fail: an unnecessary entry fails the test.

export const revisions = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

/** Scenarios, or single checks of one as `scenario:check`. */
export type NotApplicable = { why: string } & Record<Revision, readonly string[]>;

const prompts = [
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
];
const resources = ['resources-read-text', 'resources-read-binary', 'resources-templates-read'];

/** Whatever the source of the tools is. */
const always: readonly NotApplicable[] = [
  {
    why: 'toolgate offers tools only, no prompts.',
    '2025-11-25': prompts,
    '2026-07-28': [...prompts, 'caching:sep-2549-prompts-list-caching-hints'],
  },
  {
    why: 'The only resources that toolgate offers are views of tools. These scenarios read others.',
    '2025-11-25': [...resources, 'resources-subscribe', 'resources-unsubscribe'],
    '2026-07-28': resources,
  },
  {
    why: 'Completion applies to arguments of prompts and resources, which toolgate does not offer.',
    '2025-11-25': ['completion-complete'],
    '2026-07-28': ['completion-complete'],
  },
  {
    why: 'These need sessions that a client can delete or resume as a stream. A session ID of toolgate only carries whether the client can ask its user for input.',
    '2025-11-25': ['server-sse-polling', 'server-session-lifecycle'],
    '2026-07-28': [],
  },
];

export const notApplicable: readonly NotApplicable[] = [
  ...always,
  {
    why: 'A job that fails at your API is a result with `isError`: nothing that your API does is an error of the protocol.',
    '2025-11-25': [],
    '2026-07-28': ['tasks-lifecycle:sep-2663-tasks-get-status-failed'],
  },
  {
    why: 'toolgate asks the user before it calls your API, never while a job is working, and only to approve the call.',
    '2025-11-25': [],
    '2026-07-28': ['tasks-mrtr-input', 'tasks-mrtr-composition'],
  },
  {
    why: 'The suite has no check for this scenario yet.',
    '2025-11-25': [],
    '2026-07-28': ['tasks-status-notifications'],
  },
  {
    why: 'A call to your API returns one response, which becomes one content item. There are no log messages and no progress in between.',
    '2025-11-25': [
      'tools-call-mixed-content',
      'tools-call-with-progress',
      'tools-call-with-logging',
      'logging-set-level',
    ],
    '2026-07-28': ['tools-call-mixed-content', 'tools-call-with-progress'],
  },
  {
    why: 'A response of your API that is neither JSON, text nor a small picture or sound becomes a link to a file, because several clients refuse embedded resources. Those of MCP servers pass, below.',
    '2025-11-25': ['tools-call-embedded-resource'],
    '2026-07-28': ['tools-call-embedded-resource'],
  },
  {
    why: "toolgate asks the client's user only to approve a call. It uses no other form, no sampling and no roots.",
    '2025-11-25': [
      'tools-call-sampling',
      'tools-call-elicitation',
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
    ],
    '2026-07-28': [
      'input-required-result-basic-elicitation',
      'input-required-result-basic-sampling',
      'input-required-result-basic-list-roots',
      'input-required-result-multiple-input-requests',
      'input-required-result-multi-round',
      'input-required-result-non-tool-request',
      'input-required-result-capability-check',
      'input-required-result-ignore-extra-params',
    ],
  },
  {
    why: 'Only `confirm: true` approves a call. The suite responds to every form with `ok: true`, whatever the fields are.',
    '2025-11-25': [],
    '2026-07-28': ['input-required-result-request-state:sep-2322-request-state-complete'],
  },
];

/** The same for tools that come from an MCP server of the same revision. */
export const notApplicableThrough: readonly NotApplicable[] = [
  ...always,
  {
    why: 'toolgate does not follow the tasks of MCP servers.',
    '2025-11-25': [],
    '2026-07-28': [
      'tasks-lifecycle',
      'tasks-capability-negotiation',
      'tasks-wire-fields',
      'tasks-request-state-removal',
      'tasks-mrtr-input',
      'tasks-request-headers',
      'tasks-dispatch-and-envelope',
      'tasks-status-notifications',
      'tasks-required-task-error',
      'tasks-mrtr-composition',
    ],
  },
  {
    why: "toolgate does not forward a server's log messages.",
    '2025-11-25': ['tools-call-with-logging', 'logging-set-level'],
    '2026-07-28': [],
  },
  {
    why: 'toolgate never declares sampling or roots to a server. It declares elicitation only if both sides use 2026-07-28.',
    '2025-11-25': [
      'tools-call-sampling',
      'tools-call-elicitation',
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
    ],
    '2026-07-28': [
      'input-required-result-basic-sampling',
      'input-required-result-basic-list-roots',
      'input-required-result-multiple-input-requests',
      'input-required-result-capability-check',
    ],
  },
  {
    why: 'Only tool calls can ask the user. This scenario asks during a prompt.',
    '2025-11-25': [],
    '2026-07-28': ['input-required-result-non-tool-request'],
  },
  {
    why: 'A form response counts only with the sealed state of its request, which this scenario does not send.',
    '2025-11-25': [],
    '2026-07-28': ['input-required-result-ignore-extra-params'],
  },
];
