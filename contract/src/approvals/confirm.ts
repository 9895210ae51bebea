// Whether calls of a tool wait for a person, and for whom.

import { z } from 'zod';
import { confirmers, confirmFallbacks, MAX_REMEMBER_SECONDS } from './rules.ts';

export const toolConfirm = z
  .strictObject({
    by: z.enum(confirmers).meta({
      description:
        '`user`: the member for whom the call is made, or your backend for them; for a call without a member, as with `approver`. `approver`: an owner, an admin, or an account or API key with `can_approve`, never who asked',
    }),
    remember_seconds: z.int().min(0).max(MAX_REMEMBER_SECONDS).default(0).meta({
      description:
        'With `by` user: how long a yes counts for further calls of the same member or key, with any arguments, while the definition stays as it is',
    }),
    fallback: z.enum(confirmFallbacks).default('link').meta({
      description:
        'What an MCP client gets that cannot ask its user: `link`, a result with an address to open; `refuse`, an error that names the missing capability',
    }),
  })
  .meta({ id: 'ToolConfirm' });

export type ToolConfirm = z.output<typeof toolConfirm>;
