// New ids. They reveal neither order nor number: the random part has 130 bits.

import { ID_RANDOM_LENGTH, type IdPrefix } from '@toolgate/contract/ids.ts';
import { randomBase62 } from '../base62.ts';

export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomBase62(ID_RANDOM_LENGTH)}`;
}
