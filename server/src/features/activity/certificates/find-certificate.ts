// The certificate of something that connects to a host, ready to be used: its key opened, in the project cache. A certificate that is
// replaced is read again, as everything of its project is.

import type { App } from '../../../app.ts';
import { toCertificate } from '../../../outbound/certificate.ts';
import type { Certificate } from '../../../outbound/messages.ts';
import { SecretUnreadable } from '../../../secrets/aes-gcm.ts';
import { keyContext } from './certificate.ts';
import { selectCertificate } from './store.ts';

/** Null for null. Rejects with SecretUnreadable if its key cannot be opened. */
export async function findCertificate(app: App, project_id: string, id: string | null): Promise<Certificate | null> {
  if (id === null) return null;
  const found = await app.cache.getOrLoad<Certificate>('certificate', `${project_id} ${id}`, async () => {
    const value = await loadCertificate(app, project_id, id);
    return value && { project_id, value };
  });
  // A connection without it must not be made instead.
  if (found === null) throw new SecretUnreadable('the certificate does not exist');
  return found;
}

/** Null: there is none. */
async function loadCertificate(app: App, project_id: string, id: string): Promise<Certificate | null> {
  const row = await selectCertificate(app.database, project_id, id);
  if (!row) return null;
  const { ca, client_certificate, client_key } = row;
  if (client_certificate === null || client_key === null) return toCertificate({ ca, client: null });
  const key = (await app.secrets.open(app.database, project_id, keyContext(id), client_key)).toString();
  return toCertificate({ ca, client: { certificate: client_certificate, key } });
}
