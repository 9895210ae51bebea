// The "Actions" of an assertion key.

import { useNavigate } from '@tanstack/react-router';
import type { AssertionKey } from '@toolgate/sdk';
import { Ban, FileKey, RotateCcw } from 'lucide-react';
import { CodeBlock } from '../../ui/code-block.tsx';
import { ChangeDialog } from '../../ui/dialogs/change.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { useRowDialogs } from '../../ui/dialogs/row-dialogs.ts';
import { ActionsMenu, DeleteItem, MenuItem } from '../../ui/menu.tsx';
import { useFilters } from '../../ui/search.ts';

export function AssertionKeyActions({ assertionKey }: { assertionKey: AssertionKey }) {
  const dialogs = useRowDialogs<'show' | 'deactivate' | 'delete'>();
  const navigate = useNavigate();
  const { values } = useFilters();
  const { kid, status } = assertionKey;
  const reuse = () => void navigate({ to: '.', search: { ...values, dialog: 'create', kid }, replace: true });
  return (
    <>
      <ActionsMenu>
        <MenuItem icon={<FileKey />} onClick={dialogs.opens('show')}>
          Show public key
        </MenuItem>
        {status === 'active' ? (
          <MenuItem icon={<Ban />} danger needs="write" onClick={dialogs.opens('deactivate')}>
            Deactivate
          </MenuItem>
        ) : (
          <MenuItem icon={<RotateCcw />} needs="write" onClick={reuse}>
            Reuse the key ID
          </MenuItem>
        )}
        <DeleteItem onClick={dialogs.opens('delete')} />
      </ActionsMenu>
      <Dialog
        {...dialogs.of('show')}
        size="lg"
        title={`Public key of “${kid}”`}
        description={<span className="break-all">{assertionKey.fingerprint}</span>}
      >
        <CodeBlock code={assertionKey.public_key} label="public key" />
      </Dialog>
      <EndKeyDialog assertionKey={assertionKey} operation="deactivate" {...dialogs.of('deactivate')} />
      <EndKeyDialog assertionKey={assertionKey} operation="delete" {...dialogs.of('delete')} />
    </>
  );
}

const consequences = {
  deactivate:
    "Assertions signed with this key are refused immediately, and the member sessions that it created are revoked. You can't reactivate the key, but you can register its key ID again with any key.",
  delete:
    'Assertions signed with this key are refused immediately, the member sessions that it created are revoked, and the key is removed from the list. This cannot be undone.',
};

type EndKeyProps = {
  assertionKey: AssertionKey;
  operation: 'deactivate' | 'delete';
  open: boolean;
  onOpenChange: () => void;
};

function EndKeyDialog({ assertionKey: { id, kid }, operation, open, onOpenChange }: EndKeyProps) {
  const action = operation === 'deactivate' ? 'Deactivate' : 'Delete';
  return (
    <ChangeDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`${action} the assertion key “${kid}”?`}
      name={kid}
      action={action}
      change={({ assertionKeys }): Promise<unknown> => assertionKeys[operation](id)}
      done={`“${kid}” ${operation}d`}
      invalidates={['assertion-keys']}
    >
      {consequences[operation]}
    </ChangeDialog>
  );
}
