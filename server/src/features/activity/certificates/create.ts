// Stores a certificate. What it is made of is checked first; no connection is made.

import type { Certificate, CertificateRequest } from '@toolgate/contract/certificates/certificate.ts';
import { type Caller, creatorOf, projectOf } from '../../../access/caller.ts';
import { refuseNarrowed } from '../../../access/narrowed-caller.ts';
import { refuseBeyondLimit } from '../../../api/resource-limit.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { lockProjectRow } from '../../../database/lock-project-row.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { auditCertificate, keyContext, recordChange, showCertificate } from './certificate.ts';
import { checkContent, contentFields } from './check-content.ts';
import { insertCertificate } from './store.ts';

export async function createCertificate(
  app: App,
  caller: Caller,
  { name, ...content }: CertificateRequest,
): Promise<Certificate> {
  refuseNarrowed(caller);
  const { expires_at, client_key } = checkContent(content, new Set(contentFields), app.now());
  const project_id = projectOf(caller).id;
  const id = newId('crt');
  return transact(app, async (app) => {
    await lockProjectRow(app.database, project_id);
    await refuseBeyondLimit(app, 'certificates', project_id);
    const row = await insertCertificate(app.database, {
      id,
      project_id,
      name,
      ca: content.ca,
      client_certificate: content.client_certificate,
      client_key: client_key && (await app.secrets.seal(app.database, project_id, keyContext(id), client_key)),
      expires_at: new Date(expires_at).toISOString(),
      created_by: creatorOf(caller),
    }).catch(refuseTakenName);
    app.changes.add(project_id);
    await recordChange(app, caller, { type: 'certificate.created', target_id: id, data: auditCertificate(row) });
    return showCertificate(row, { used_by: [], use_count: 0 });
  });
}

const UNIQUE_VIOLATION = '23505';

/** The unique index decides, so that of two concurrent saves one succeeds. */
export function refuseTakenName(error: Error & { code?: string; constraint?: string }): never {
  if (error.code === UNIQUE_VIOLATION && error.constraint === 'certificates_project_id_name_key')
    throw refuse.nameTaken({ details: { field: 'name' } });
  throw error;
}
