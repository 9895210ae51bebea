// What a check found: a rule of a directory, and what violates it.

import type { CheckStatus, RuleId } from '@toolgate/contract/directories/rules.ts';

/** `status`: if it is not the level that the rule has in the directory. */
export type Finding = {
  rule: RuleId;
  tool_id: string | null;
  message: string;
  remedy: string;
  status?: CheckStatus;
};
