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
const resources = ['resources-list', 'resources-read-text', 'resources-read-binary', 'resources-templates-read'];

/** Whatever the source of the tools is. */
const always: readonly NotApplicable[] = [
  {
    why: 'A gateway of tools has no prompts.',
    '2025-11-25': prompts,
    '2026-07-28': [...prompts, 'caching:sep-2549-prompts-list-caching-hints'],
  },
  {
    why: 'A gateway of tools has no resources.',
    '2025-11-25': [...resources, 'resources-subscribe', 'resources-unsubscribe'],
    '2026-07-28': [
      ...resources,
      'sep-2164-resource-not-found',
      'caching:sep-2549-resources-list-caching-hints',
      'caching:sep-2549-resources-templates-list-caching-hints',
    ],
  },
  {
    why: 'Completion is for the arguments of prompts and resources.',
    '2025-11-25': ['completion-complete'],
    '2026-07-28': ['completion-complete'],
  },
  {
    why: 'These want a session that can be ended, or a stream of it. A session id only says what the client can ask its user.',
    '2025-11-25': ['server-sse-polling', 'server-session-lifecycle'],
    '2026-07-28': [],
  },
  {
    why: 'Tasks are an extension that is not offered: a call ends within 55 s.',
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
];

export const notApplicable: readonly NotApplicable[] = [
  ...always,
  {
    why: "The customer's API gives one answer, which becomes one content, without logs or progress on the way.",
    '2025-11-25': [
      'tools-call-mixed-content',
      'tools-call-with-progress',
      'tools-call-with-logging',
      'logging-set-level',
    ],
    '2026-07-28': ['tools-call-mixed-content', 'tools-call-with-progress'],
  },
  {
    why: 'The gateway asks the client for a yes to a call, and for nothing else: no other form, no sampling, no roots.',
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
    why: 'Only `confirm: true` approves a call. The suite answers every form with `ok: true`, whatever its fields are.',
    '2025-11-25': [],
    '2026-07-28': ['input-required-result-request-state:sep-2322-request-state-complete'],
  },
];

/** The same for tools that come from an MCP server of the same revision. */
export const notApplicableThrough: readonly NotApplicable[] = [
  ...always,
  {
    why: 'Log messages of a server are not passed on.',
    '2025-11-25': ['tools-call-with-logging', 'logging-set-level'],
    '2026-07-28': [],
  },
  {
    why: 'Sampling and roots are never declared to a server, and elicitation only where both sides speak 2026-07-28.',
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
    why: 'Only calls of tools ask: this asks in a prompt.',
    '2025-11-25': [],
    '2026-07-28': ['input-required-result-non-tool-request'],
  },
  {
    why: 'An answer counts only with the sealed state of its question, which this scenario does not send.',
    '2025-11-25': [],
    '2026-07-28': ['input-required-result-ignore-extra-params'],
  },
];
