// The choices and bounds of hooks. Without zod: the dashboard ships it to browsers.

/** When a hook is asked: before a call is sent, or when its result is there. */
export const hookPoints = ['before', 'after'] as const;

export type HookPoint = (typeof hookPoints)[number];

export const hookFailurePolicies = ['refuse', 'allow'] as const;

/** What a hook can decide. */
export const hookResponses = ['allow', 'deny', 'confirm'] as const;

/** As the log shows it. `failed`: the hook gave no usable response, and `on_failure` decided. */
export const policyDecisions = [...hookResponses, 'failed'] as const;

export type PolicyDecision = (typeof policyDecisions)[number];

/** One decision in the call log. */
export type PolicyEntry = {
  hook_id: string;
  point: HookPoint;
  decision: PolicyDecision;
  reason: string | null;
  duration_ms: number;
};

/** In one project, and so for one call. */
export const MAX_HOOKS = 5;
export const MIN_HOOK_TIMEOUT_MS = 100;
export const MAX_HOOK_TIMEOUT_MS = 3_000;
export const DEFAULT_HOOK_TIMEOUT_MS = 1_000;
/** For all hooks of one call together. */
export const MAX_HOOKS_MS_OF_CALL = 15_000;
export const MAX_HOOK_RESPONSE_BYTES = 1024 * 1024;
/** For a reason; the rest is cut off. */
export const MAX_HOOK_REASON_LENGTH = 500;
