// The choices and bounds of approvals. Without zod: the dashboard ships it to browsers.

/** Who decides about a call: the user for whom it is made, or somebody who may approve. */
export const confirmers = ['user', 'approver'] as const;

export type Confirmer = (typeof confirmers)[number];

/** What a client gets that can ask nobody: a link for a person, or a refusal. */
export const confirmFallbacks = ['link', 'refuse'] as const;

export const MAX_REMEMBER_SECONDS = 3_600;

export const approvalStatuses = ['pending', 'approved', 'declined', 'expired', 'used', 'cancelled'] as const;

export type ApprovalStatus = (typeof approvalStatuses)[number];

/** Where it was decided. */
export const decisionPlaces = ['api', 'dashboard', 'page', 'form'] as const;

export type DecisionPlace = (typeof decisionPlaces)[number];

export const MAX_REASON_LENGTH = 500;

export const MAX_PENDING = 1_000;
/** For one member or key. */
export const MAX_PENDING_OF_CALLER = 20;

/** In a page's URL of the project's own, replaced by the id of the approval. */
export const APPROVAL_PLACEHOLDER = '{id}';
