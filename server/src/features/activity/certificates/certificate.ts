// A certificate as it is stored, as the API shows it and as the audit log has it. Its key is never shown.

import { createHash } from 'node:crypto';
import type { Certificate } from '@toolgate/contract/certificates/certificate.ts';
import { certificateEvents } from '@toolgate/contract/certificates/events.ts';
import type { SealContext } from '../../../secrets/envelope.ts';
import { recorderOf } from '../events/record.ts';
import type { CertificateRow } from './store.ts';
import type { Uses } from './uses.ts';

export function showCertificate({ client_key, warned_days: _, ...row }: CertificateRow, uses: Uses): Certificate {
  return { object: 'certificate', ...row, has_client_key: client_key !== null, ...uses };
}

/** In the audit log. The texts are long: their hashes show every change. */
export function auditCertificate({ client_key, warned_days: _, ...row }: CertificateRow): object {
  const hash = (text: string | null) => text && `sha256:${createHash('sha256').update(text).digest('hex')}`;
  return { ...row, ca: hash(row.ca), client_certificate: hash(row.client_certificate) };
}

export const keyContext = (id: string): SealContext => ({ table: 'certificates', column: 'client_key', row_id: id });

/** The event of certificates, and the changes to them that have an audit entry only. */
type AuditOnly = 'certificate.created' | 'certificate.updated' | 'certificate.deleted';

export const { recordChange } = recorderOf<typeof certificateEvents, AuditOnly>(certificateEvents);
