// Serves /projects/{id}/certificates.

import type { Certificate } from '@toolgate/contract/certificates/certificate.ts';
import { certificateRoutes } from '@toolgate/contract/certificates/routes.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { refuseNarrowed } from '../../../access/narrowed-caller.ts';
import { getRow } from '../../../api/get-row.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { refuse } from '../../../errors/errors.ts';
import { auditCertificate, recordChange, showCertificate } from './certificate.ts';
import { createCertificate } from './create.ts';
import { deleteCertificateRow, lockCertificate, pageOfCertificates, selectCertificate } from './store.ts';
import { testCertificate } from './test-certificate.ts';
import { updateCertificate } from './update.ts';
import { findUses } from './uses.ts';

export function serveCertificates(server: Server, app: App): void {
  implement(
    server,
    app,
    certificateRoutes,
    {
      createCertificate: (app, { caller, body }) => createCertificate(app, caller, body),
      listCertificates: (app, { caller, query }) => listCertificates(app, caller, query),
      getCertificate: (app, { caller, params }) => getCertificate(app, caller, params.certificate_id),
      updateCertificate: (app, { caller, params, body }) => updateCertificate(app, caller, params.certificate_id, body),
      deleteCertificate: (app, { caller, params }) => deleteCertificate(app, caller, params.certificate_id),
      testCertificate: (app, { caller, params, body }) => testCertificate(app, caller, params.certificate_id, body),
    },
    // It waits for the host meanwhile.
    { testCertificate: { database_permit: false } },
  );
}

async function listCertificates(app: App, caller: Caller, query: PageQuery): Promise<Page<Certificate>> {
  const { id: project_id } = projectOf(caller);
  const page = await pageOfCertificates(app.database, project_id, query);
  const usesOf = await findUses(
    app.database,
    project_id,
    page.rows.map(({ id }) => id),
  );
  return makePage(
    page,
    page.rows.map((row) => showCertificate(row, usesOf(row.id))),
  );
}

async function getCertificate(app: App, caller: Caller, id: string): Promise<Certificate> {
  const row = await getRow(app, caller, id, selectCertificate);
  return showCertificate(row, (await findUses(app.database, row.project_id, [id]))(id));
}

async function deleteCertificate(app: App, caller: Caller, id: string): Promise<void> {
  refuseNarrowed(caller);
  return withLockedRow(app, caller, id, lockCertificate, async (app, row) => {
    const { used_by, use_count } = (await findUses(app.database, row.project_id, [id]))(id);
    if (use_count > 0) throw refuse.certificateInUse({ details: { used_by, use_count } });
    await deleteCertificateRow(app.database, row);
    await recordChange(app, caller, { type: 'certificate.deleted', target_id: id, data: auditCertificate(row) });
  });
}
