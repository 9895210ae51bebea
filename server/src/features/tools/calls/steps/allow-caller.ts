// Whether the caller may call the tool. That it sees the tool was decided when the tool was found.

import { refuseUnlessAllowed } from '../call-access.ts';
import type { Step } from '../run.ts';

export const allowCaller: Step = (_app, { tool, caller, call }) => {
  refuseUnlessAllowed(tool, caller);
  call.inspect?.(tool);
};
