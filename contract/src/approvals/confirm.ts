// Whether calls of a tool wait for a person, and for whom.

import { z } from 'zod';
import { confirmers, confirmFallbacks, MAX_REMEMBER_SECONDS } from './rules.ts';

export const toolConfirm = z
  .strictObject({
    by: z.enum(confirmers).meta({
      description:
        "`user`: the member the call is made for, or your backend on the member's behalf; without a member, the same as `approver`. `approver`: an owner, an admin, or an account or API key with `can_approve`, but never the caller",
    }),
    remember_seconds: z.int().min(0).max(MAX_REMEMBER_SECONDS).default(0).meta({
      description:
        'If `by` is `user`: how long an approval also covers further calls by the same member or key, with any arguments, as long as the definition does not change',
    }),
    fallback: z.enum(confirmFallbacks).default('link').meta({
      description:
        'What happens if the MCP client cannot ask its user: `link` returns a result with a URL to open; `refuse` returns an error with the missing capability',
    }),
  })
  .meta({ id: 'ToolConfirm' });

export type ToolConfirm = z.output<typeof toolConfirm>;
