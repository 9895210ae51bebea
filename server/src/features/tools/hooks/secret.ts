// The secret of a hook, which signs what is sent to it, and the column and row that it is sealed for.

import { randomBytes } from 'node:crypto';
import type { SealContext } from '../../../secrets/envelope.ts';

const PREFIX = 'hksec_';
const SECRET_BYTES = 32;

export const makeSecret = () => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

export function secretContext(hook_id: string, column: 'secret' | 'previous_secret'): SealContext {
  return { table: 'hooks', column, row_id: hook_id };
}
