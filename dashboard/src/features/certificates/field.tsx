// The choice of a certificate in the form of something that connects to a host. Only admins have it.

import * as z from 'zod/mini';
import { useAccess } from '../../api/session.ts';
import { SelectField } from '../../ui/forms/field.tsx';
import { useCertificatesQuery } from './certificates.ts';

/** Empty: none. */
export const certificateFields = { certificate_id: z.string() };

type Stored = { certificate_id: string | null } | null;

export const certificateValuesOf = (stored: Stored) => ({ certificate_id: stored?.certificate_id ?? '' });

export const certificateFieldsOf = ({ certificate_id }: { certificate_id: string }) => ({
  certificate_id: certificate_id || null,
});

export function CertificateField() {
  const isAdmin = useAccess().can('admin');
  const certificates = useCertificatesQuery(isAdmin).data?.data;
  if (!isAdmin) return null;
  const options = (certificates ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <SelectField
      // A select cannot show an option that is not there yet.
      key={certificates ? 'loaded' : 'loading'}
      name="certificate_id"
      label="Certificate"
      options={[{ value: '', label: 'None' }, ...options]}
      hint="For hosts with a certificate of your own authority, or that require a client certificate."
    />
  );
}
