// The event of certificates. Other changes to them have an audit entry only.

import type { EventKind } from '../events/event-kind.ts';
import { exampleTime } from '../examples.ts';
import { exampleIds } from '../ids.ts';
import { expiringCertificate } from './certificate.ts';

export const certificateEvents = {
  'certificate.expiring': {
    description:
      'A certificate expires in 30, 7 or 1 days: once for each, and immediately for one that is stored later than that',
    data: expiringCertificate,
    example: {
      object: 'certificate',
      id: exampleIds.certificate_id,
      project_id: exampleIds.project_id,
      name: 'Partner gateway',
      expires_at: exampleTime,
      days_left: 29,
      use_count: 3,
    },
    readable_with: 'admin',
  },
} satisfies Record<string, EventKind>;
