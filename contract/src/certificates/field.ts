// The field of everything that connects to a host: which certificate it connects with.

import { limitedText } from '../fields.ts';
import { exampleIds } from '../ids.ts';

const MAX_ID_LENGTH = 64;

export const certificateId = limitedText(MAX_ID_LENGTH).nullable().meta({
  description:
    "The certificate that connections to the host are made with; null: none, and the system's certificate authorities. Only callers with `admin` can set it, or change the host while it is set",
  example: exampleIds.certificate_id,
});
