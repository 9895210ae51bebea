// Who may let something connect with a certificate: admins alone decide which hosts get a client certificate, and which authorities
// a host is trusted by.

import { type Caller, hasPermission, projectOf } from '../../../access/caller.ts';
import { lacksPermission } from '../../../access/lacks-permission.ts';
import type { App } from '../../../app.ts';
import { invalidField } from '../../../errors/errors.ts';
import { holdCertificate } from './store.ts';

/** `hosts`: the URLs that it connects to, by their fields. */
export type CertificateUser = {
  certificate_id: string | null;
  hosts: Readonly<Record<string, string | null | undefined>>;
};

/** `old` is null for something new. Call it in the transaction that saves it: the certificate cannot be deleted before that ends. */
export async function checkCertificateUse(
  app: App,
  caller: Caller,
  old: CertificateUser | null,
  saved: CertificateUser,
): Promise<void> {
  const { certificate_id, hosts } = saved;
  const is_other = certificate_id !== (old?.certificate_id ?? null);
  if (certificate_id === null && !is_other) return;
  if (is_other) requireAdmin(caller, 'certificate_id');
  const moved = Object.keys(hosts).find((field) => originOf(hosts[field]) !== originOf(old?.hosts[field]));
  if (old !== null && moved !== undefined) requireAdmin(caller, moved);
  if (certificate_id === null) return;
  const plain = Object.keys(hosts).find((field) => /^http:/i.test(hosts[field] ?? ''));
  if (plain !== undefined)
    throw invalidField('certificate_id', `must be null: ${plain} is plain HTTP`, { reason: 'certificate_without_tls' });
  if (is_other && !(await holdCertificate(app.database, projectOf(caller).id, certificate_id)))
    throw invalidField('certificate_id', "must be the id of one of this project's certificates", {
      value: certificate_id,
      reason: 'certificate_unknown',
    });
}

function requireAdmin(caller: Caller, field: string): void {
  if (!hasPermission(caller, 'admin')) throw lacksPermission(caller, 'admin', { field });
}

const originOf = (url: string | null | undefined) => (url ? (URL.parse(url)?.origin ?? url) : null);
