// All errors of the API, assembled from the features that declare them.

import { accountsErrors, accountsReasons } from './accounts/errors.ts';
import { apiKeysErrors } from './api-keys/errors.ts';
import { approvalsErrors, approvalsReasons } from './approvals/errors.ts';
import { assertionKeysErrors, assertionKeysReasons } from './assertion-keys/errors.ts';
import { certificatesErrors, certificatesReasons } from './certificates/errors.ts';
import { customToolsErrors, customToolsReasons } from './custom-tools/errors.ts';
import { directoriesErrors } from './directories/errors.ts';
import type { ErrorRow, ReasonRow } from './error-row.ts';
import { filesErrors, filesReasons } from './files/errors.ts';
import { generalErrors, generalReasons } from './general-errors.ts';
import { hooksErrors, hooksReasons } from './hooks/errors.ts';
import { limitsErrors, limitsReasons } from './limits/errors.ts';
import { maximumReasons } from './maximums.ts';
import { mcpErrors, mcpReasons } from './mcp/errors.ts';
import { mcpServersErrors, mcpServersReasons } from './mcp-servers/errors.ts';
import { memberSessionsErrors, memberSessionsReasons } from './member-sessions/errors.ts';
import { membersErrors } from './members/errors.ts';
import { oauthErrors, oauthReasons } from './oauth/errors.ts';
import { ssoErrors, ssoReasons } from './organizations/sso-errors.ts';
import { tasksErrors, tasksReasons } from './tasks/errors.ts';
import { toolCallsErrors, toolCallsReasons } from './tool-calls/errors.ts';
import { toolsetsErrors, toolsetsReasons } from './toolsets/errors.ts';
import { webhooksErrors } from './webhooks/errors.ts';

const errors = {
  ...generalErrors,
  ...apiKeysErrors,
  ...accountsErrors,
  ...ssoErrors,
  ...oauthErrors,
  ...webhooksErrors,
  ...memberSessionsErrors,
  ...membersErrors,
  ...assertionKeysErrors,
  ...customToolsErrors,
  ...toolCallsErrors,
  ...toolsetsErrors,
  ...mcpErrors,
  ...limitsErrors,
  ...approvalsErrors,
  ...directoriesErrors,
  ...filesErrors,
  ...tasksErrors,
  ...hooksErrors,
  ...mcpServersErrors,
  ...certificatesErrors,
};

const reasons = {
  ...generalReasons,
  ...maximumReasons,
  ...accountsReasons,
  ...ssoReasons,
  ...oauthReasons,
  ...memberSessionsReasons,
  ...assertionKeysReasons,
  ...customToolsReasons,
  ...toolCallsReasons,
  ...toolsetsReasons,
  ...limitsReasons,
  ...approvalsReasons,
  ...filesReasons,
  ...tasksReasons,
  ...hooksReasons,
  ...mcpServersReasons,
  ...certificatesReasons,
  ...mcpReasons,
};

export type RefusalName = keyof typeof errors;

/** Which rule refused a request: a code in lower case, or one of several rules that share a code. */
export type Reason = Lowercase<(typeof errors)[RefusalName]['code']> | keyof typeof reasons;

export const errorRows: Readonly<Record<RefusalName, ErrorRow>> = errors;

/** Every reason: those that are codes first. */
export const reasonRows = Object.fromEntries([
  ...Object.values(errorRows).map(({ code, cause, remedy, advice }) => [code.toLowerCase(), { cause, remedy, advice }]),
  ...Object.entries(reasons),
]) as Readonly<Record<Reason, ReasonRow>>;

const byCode: ReadonlyMap<string, ErrorRow> = new Map(Object.values(errorRows).map((row) => [row.code, row]));

/** Undefined: no error has this code any more. */
export const errorRowOf = (code: string) => byCode.get(code);

export function isReason(text: string): text is Reason {
  return Object.hasOwn(reasonRows, text);
}
