// The hooks of the project: before a call is sent, and when its result is there.

import { askAfter, askBefore } from '../hooks/ask-hooks.ts';
import type { Step } from '../run.ts';

export const askPolicies: Step = (app, run) => (run.tool.hooks.before.length > 0 ? askBefore(app, run) : undefined);

export const askPoliciesAboutResult: Step = (app, run) =>
  run.tool.hooks.after.length > 0 ? askAfter(app, run) : undefined;
