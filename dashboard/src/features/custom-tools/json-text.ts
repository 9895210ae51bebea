// JSON that somebody types.

import * as z from 'zod/mini';
import { jsonProblem } from '../../ui/forms/json.tsx';

export const jsonText = z.string().check((payload) => {
  const message = jsonProblem(payload.value);
  if (message !== null) payload.issues.push({ code: 'custom', message, input: payload.value });
});
