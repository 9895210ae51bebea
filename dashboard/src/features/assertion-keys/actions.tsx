// The "Actions" of an assertion key.

import { useNavigate } from '@tanstack/react-router';
import type { AssertionKey } from '@toolgate/sdk';
import { Ban, FileKey, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { ActionsMenu, DeleteItem, MenuItem } from '../../ui/menu.tsx';
import { useFilters } from '../../ui/search.ts';
import { showToast } from '../../ui/toasts.ts';

export function AssertionKeyActions({ assertionKey }: { assertionKey: AssertionKey }) {
  const [dialog, setDialog] = useState<'show' | 'deactivate' | 'delete' | null>(null);
  const navigate = useNavigate();
  const { values } = useFilters();
  const { kid, status } = assertionKey;
  const close = () => setDialog(null);
  const reuse = () => void navigate({ to: '.', search: { ...values, dialog: 'create', kid }, replace: true });
  return (
    <>
      <ActionsMenu>
        <MenuItem icon={<FileKey />} onClick={() => setDialog('show')}>
          Show public key
        </MenuItem>
        {status === 'active' ? (
          <MenuItem icon={<Ban />} danger needs="write" onClick={() => setDialog('deactivate')}>
            Deactivate
          </MenuItem>
        ) : (
          <MenuItem icon={<RotateCcw />} needs="write" onClick={reuse}>
            Reuse the key ID
          </MenuItem>
        )}
        <DeleteItem onClick={() => setDialog('delete')} />
      </ActionsMenu>
      <Dialog
        open={dialog === 'show'}
        onOpenChange={close}
        size="lg"
        title={`Public key of “${kid}”`}
        description={<span className="break-all">{assertionKey.fingerprint}</span>}
      >
        <CodeBlock code={assertionKey.public_key} label="public key" />
      </Dialog>
      <EndKeyDialog assertionKey={assertionKey} verb="deactivate" open={dialog === 'deactivate'} onOpenChange={close} />
      <EndKeyDialog assertionKey={assertionKey} verb="delete" open={dialog === 'delete'} onOpenChange={close} />
    </>
  );
}

const consequences = {
  deactivate:
    'Assertions signed with it are refused from now on, and the member sessions that it created end. It cannot be activated again; its key ID can be registered again with any key.',
  delete:
    'Assertions signed with it are refused from now on, the member sessions that it created end, and it disappears from the list. This cannot be undone.',
};

type EndKeyProps = {
  assertionKey: AssertionKey;
  verb: 'deactivate' | 'delete';
  open: boolean;
  onOpenChange: () => void;
};

function EndKeyDialog({ assertionKey: { id, kid }, verb, open, onOpenChange }: EndKeyProps) {
  const api = useProjectApi();
  const projectId = useProjectId();
  const action = verb === 'deactivate' ? 'Deactivate' : 'Delete';
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`${action} the assertion key “${kid}”?`}
      name={kid}
      action={action}
      onConfirm={async () => {
        await (verb === 'deactivate' ? api.assertionKeys.deactivate(id) : api.assertionKeys.delete(id));
        showToast({ title: `“${kid}” is ${verb}d` });
        await invalidateProject(projectId, ['assertion-keys']);
      }}
    >
      {consequences[verb]}
    </ConfirmDialog>
  );
}
