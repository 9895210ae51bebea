// 422 with the field and the reason, without the value: it may be a secret or very long.

import { type ApiError, refuse } from '../../errors.ts';

export function invalidField(field: string, reason: string): ApiError {
  return refuse.validation({ details: { field, reason } });
}
