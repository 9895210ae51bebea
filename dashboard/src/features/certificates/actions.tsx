// The "Actions" of a certificate.

import type { Certificate } from '@toolgate/sdk';
import { FlaskConical, ListTree, RefreshCw, Trash2 } from 'lucide-react';
import { ChangeDialog } from '../../ui/dialogs/change.tsx';
import { useRowDialogs } from '../../ui/dialogs/row-dialogs.ts';
import { ActionsMenu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { CertificateDialog } from './form.tsx';
import { TestCertificateDialog } from './test-dialog.tsx';
import { UsesDialog } from './uses.tsx';

export function CertificateActions({ certificate }: { certificate: Certificate }) {
  const dialogs = useRowDialogs<'test' | 'uses' | 'replace' | 'delete'>();
  const inUse = certificate.use_count > 0 ? 'It is in use. Choose another certificate there first.' : undefined;
  return (
    <>
      <ActionsMenu>
        <MenuItem icon={<FlaskConical />} needs="admin" onClick={dialogs.opens('test')}>
          Test
        </MenuItem>
        <MenuItem icon={<ListTree />} onClick={dialogs.opens('uses')}>
          Show what uses it
        </MenuItem>
        <MenuItem icon={<RefreshCw />} needs="admin" onClick={dialogs.opens('replace')}>
          Replace
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 />} danger needs="admin" disabledReason={inUse} onClick={dialogs.opens('delete')}>
          Delete
        </MenuItem>
      </ActionsMenu>
      <TestCertificateDialog certificate={certificate} {...dialogs.of('test')} />
      <UsesDialog certificate={certificate} {...dialogs.of('uses')} />
      <CertificateDialog certificate={certificate} {...dialogs.of('replace')} />
      <DeleteCertificateDialog certificate={certificate} {...dialogs.of('delete')} />
    </>
  );
}

type DeleteProps = { certificate: Certificate; open: boolean; onOpenChange: (open: boolean) => void };

function DeleteCertificateDialog({ certificate: { id, name }, ...dialog }: DeleteProps) {
  return (
    <ChangeDialog
      {...dialog}
      title="Delete this certificate?"
      name={name}
      change={(toolgate) => toolgate.certificates.delete(id)}
      done={`“${name}” deleted`}
      invalidates={['certificates']}
    >
      The certificate and its private key are deleted. This cannot be undone.
    </ChangeDialog>
  );
}
