// Counts the call against the limits of its tool: once, also if the tool changes while the call waits for its slot.

import { takeToolLimits } from '../../limits/take.ts';
import type { Step } from '../run.ts';

export const countLimits: Step = (app, run) => {
  if (run.nearest_limit !== undefined || run.tool.limits.length === 0) return;
  return takeToolLimits(app, run.caller, run.tool).then((nearest) => {
    run.nearest_limit = nearest;
  });
};
