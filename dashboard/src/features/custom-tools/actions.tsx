// The "Actions" of a tool, in the list and on its page.

import { Link, useNavigate } from '@tanstack/react-router';
import type { CustomTool } from '@toolgate/sdk';
import { CopyPlus, Play, RefreshCw, Stethoscope, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { ActionsMenu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { showToast } from '../../ui/toasts.ts';
import { TOOLSET_RESOURCES } from '../tool-access/toolsets.ts';
import { DuplicateToolDialog } from './duplicate.tsx';
import { RotateSecretDialog } from './secret.tsx';
import { hasSecret, isSigned, SIGNATURE_DIALOG } from './values.ts';

export function CustomToolActions({ tool, onDeleted }: { tool: CustomTool; onDeleted?: () => void }) {
  const [dialog, setDialog] = useState<'duplicate' | 'rotate' | 'delete' | null>(null);
  const projectId = useProjectId();
  const navigate = useNavigate();
  const close = () => setDialog(null);
  const page = { to: '/projects/$projectId/custom-tools/$toolId', params: { projectId, toolId: tool.id } } as const;
  return (
    <>
      <ActionsMenu>
        <MenuItem icon={<Play />} render={<Link {...page} search={{ tab: 'try-it' }} />}>
          Try it
        </MenuItem>
        <MenuItem
          icon={<Stethoscope />}
          needs="write"
          onClick={() => void navigate({ ...page, search: { tab: 'try-it', dialog: SIGNATURE_DIALOG } })}
          {...(!isSigned(tool) && { disabledReason: 'Its requests are not signed.' })}
        >
          Signature doctor
        </MenuItem>
        <MenuItem
          icon={<RefreshCw />}
          needs="write"
          onClick={() => setDialog('rotate')}
          {...(!hasSecret(tool.auth_strategy) && { disabledReason: 'It has no secret.' })}
        >
          Rotate
        </MenuItem>
        <MenuItem icon={<CopyPlus />} needs="write" onClick={() => setDialog('duplicate')}>
          Duplicate
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 />} danger needs="admin" onClick={() => setDialog('delete')}>
          Delete
        </MenuItem>
      </ActionsMenu>
      <DuplicateToolDialog tool={tool} open={dialog === 'duplicate'} onOpenChange={close} />
      <RotateSecretDialog tool={tool} open={dialog === 'rotate'} onOpenChange={close} />
      <DeleteToolDialog tool={tool} open={dialog === 'delete'} onOpenChange={close} onDeleted={onDeleted} />
    </>
  );
}

type DeleteProps = { tool: CustomTool; open: boolean; onOpenChange: () => void; onDeleted: (() => void) | undefined };

function DeleteToolDialog({ tool: { id, name }, open, onOpenChange, onDeleted }: DeleteProps) {
  const api = useProjectApi();
  const projectId = useProjectId();
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete the tool “${name}”?`}
      name={name}
      action="Delete"
      onConfirm={async () => {
        await api.customTools.delete(id);
        showToast({ title: `“${name}” is deleted` });
        onDeleted?.();
        await invalidateProject(projectId, ['custom-tools', ...TOOLSET_RESOURCES]);
      }}
    >
      Models can no longer call it, and its versions and secret are deleted. Its calls stay in the log. This cannot be
      undone.
    </ConfirmDialog>
  );
}
