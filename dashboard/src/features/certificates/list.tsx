// The certificates of a project: when each expires, and what connects with it.

import { MAX_CERTIFICATES } from '@toolgate/contract/certificates/rules.ts';
import type { Certificate } from '@toolgate/sdk';
import { FileBadge } from 'lucide-react';
import { useProjectId } from '../../api/client.ts';
import { useAccess, usePublicUrl } from '../../api/session.ts';
import { ApiExample } from '../../ui/api-example.tsx';
import { Badge } from '../../ui/badge.tsx';
import { fullReason, useCreateDialog } from '../../ui/create-button.tsx';
import { actionsColumn, type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { Name } from '../../ui/name.tsx';
import { NoAccess } from '../../ui/no-access.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { exactTime, Time, useNow } from '../../ui/time.tsx';
import { CertificateActions } from './actions.tsx';
import { contentText, expiryWarning, useCertificatesQuery } from './certificates.ts';
import { CertificateDialog } from './form.tsx';
import { createSnippet } from './snippets.ts';
import { UseLink } from './uses.tsx';

export function CertificatesPage() {
  const projectId = useProjectId();
  const origin = usePublicUrl();
  const isAllowed = useAccess().can('admin');
  const query = useCertificatesQuery(isAllowed);
  const create = useCreateDialog('admin', fullReason(query.data?.data, MAX_CERTIFICATES, 'certificates'));
  return (
    <>
      <PageHeader
        title="Certificates"
        description="What connections to your hosts are made with: your own certificate authorities, and client certificates for hosts that require them."
        actions={create.button('Create certificate')}
      />
      {isAllowed ? (
        <DataTable
          label="Certificates"
          query={query}
          columns={columns}
          rowKey={({ id }) => id}
          expected={2}
          empty={
            <>
              <EmptyState
                icon={<FileBadge />}
                title="No certificates yet"
                action={create.button('Create the first certificate')}
              >
                Reach APIs whose certificates your own authority issued, or that require a client certificate (mTLS).
              </EmptyState>
              <ApiExample code={createSnippet(origin, projectId)} tag="certificates" />
            </>
          }
        />
      ) : (
        <NoAccess what="the certificates" needs="admin" />
      )}
      <CertificateDialog certificate={null} {...create.dialog} />
    </>
  );
}

const columns: Column<Certificate>[] = [
  {
    header: 'Name',
    cell: (certificate) => (
      <>
        <div className="truncate font-medium">
          <Name text={certificate.name} />
        </div>
        <div className="truncate text-faint text-xs">{contentText(certificate)}</div>
      </>
    ),
  },
  { header: 'Expires', width: 'w-40', cell: (certificate) => <Expiry certificate={certificate} /> },
  { header: 'Used by', from: 'sm', width: 'w-[30%]', cell: (certificate) => <UsedBy certificate={certificate} /> },
  actionsColumn((certificate) => <CertificateActions certificate={certificate} />),
];

function Expiry({ certificate }: { certificate: Certificate }) {
  const warning = expiryWarning(certificate, useNow());
  return (
    <>
      <div className="truncate">
        <Time value={certificate.expires_at} />
      </div>
      {warning ? (
        <Badge tone={warning.tone}>{warning.word}</Badge>
      ) : (
        <div className="truncate text-faint text-xs">{exactTime(certificate.expires_at).slice(0, 10)}</div>
      )}
    </>
  );
}

function UsedBy({ certificate: { used_by, use_count } }: { certificate: Certificate }) {
  const [first] = used_by;
  if (!first) return <span className="text-faint">Nothing</span>;
  return (
    <>
      <div className="truncate">
        <UseLink use={first} />
      </div>
      {use_count > 1 && <div className="truncate text-faint text-xs">and {use_count - 1} more</div>}
    </>
  );
}
