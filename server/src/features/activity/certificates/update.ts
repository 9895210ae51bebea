// Renames or replaces a certificate. What uses it connects with the new one from its next request.

import type { Certificate, CertificateChange } from '@toolgate/contract/certificates/certificate.ts';
import type { Caller } from '../../../access/caller.ts';
import { refuseNarrowed } from '../../../access/narrowed-caller.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { invalidField } from '../../../errors/errors.ts';
import { SecretUnreadable } from '../../../secrets/aes-gcm.ts';
import { auditCertificate, keyContext, recordChange, showCertificate } from './certificate.ts';
import { type Content, checkContent, contentFields } from './check-content.ts';
import { refuseTakenName } from './create.ts';
import { type CertificateRow, lockCertificate, updateCertificateRow } from './store.ts';
import { findUses } from './uses.ts';

export async function updateCertificate(
  app: App,
  caller: Caller,
  id: string,
  { name, ...change }: CertificateChange,
): Promise<Certificate> {
  refuseNarrowed(caller);
  return withLockedRow(app, caller, id, lockCertificate, async (app, row) => {
    const uses = (await findUses(app.database, row.project_id, [id]))(id);
    const replaced = await replacementOf(app, row, change);
    const is_renamed = name !== undefined && name !== row.name;
    // A client that sends all of it with every update must not make a change each time.
    if (replaced === null && !is_renamed) return showCertificate(row, uses);
    const saved = await updateCertificateRow(app.database, row, {
      ...replaced,
      ...(name === undefined ? {} : { name }),
    }).catch(refuseTakenName);
    const [before, data] = [auditCertificate(row), auditCertificate(saved)];
    await recordChange(app, caller, { type: 'certificate.updated', target_id: id, data, before });
    return showCertificate(saved, uses);
  });
}

type Replacement = Pick<CertificateRow, keyof Content | 'expires_at' | 'warned_days'>;

/** Null if nothing of its content changes. */
async function replacementOf(
  app: App,
  row: CertificateRow,
  change: Omit<CertificateChange, 'name'>,
): Promise<Replacement | null> {
  const given = new Set(contentFields.filter((field) => change[field] !== undefined));
  if (given.size === 0) return null;
  const { ca = row.ca, client_certificate = row.client_certificate } = change;
  // A key without its certificate has no use.
  const goes = client_certificate === null && change.client_key === undefined;
  const stored = goes ? null : await openKey(app, row);
  if (stored === 'unreadable' && change.client_key === undefined)
    throw invalidField('client_key', 'must be sent again: the stored key cannot be decrypted');
  const client_key = goes ? null : change.client_key === undefined ? stored : change.client_key;
  const checked = checkContent({ ca, client_certificate, client_key }, given, app.now());
  const is_same_key = checked.client_key === stored && (stored === null) === (row.client_key === null);
  if (ca === row.ca && client_certificate === row.client_certificate && is_same_key) return null;
  const expires_at = new Date(checked.expires_at).toISOString();
  const sealed =
    checked.client_key &&
    (await app.secrets.seal(app.database, row.project_id, keyContext(row.id), checked.client_key));
  const has_other_end = checked.expires_at !== Date.parse(row.expires_at);
  return {
    ca,
    client_certificate,
    client_key: is_same_key ? row.client_key : sealed,
    expires_at,
    warned_days: has_other_end ? null : row.warned_days,
  };
}

/** Null: there is none. */
async function openKey(
  app: App,
  { id, project_id, client_key }: CertificateRow,
): Promise<string | 'unreadable' | null> {
  if (client_key === null) return null;
  try {
    return (await app.secrets.open(app.database, project_id, keyContext(id), client_key)).toString();
  } catch (error) {
    if (error instanceof SecretUnreadable) return 'unreadable';
    throw error;
  }
}
