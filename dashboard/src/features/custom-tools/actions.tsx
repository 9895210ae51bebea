// The "Actions" of a tool, in the list and on its page.

import { Link, useNavigate } from '@tanstack/react-router';
import type { CustomTool } from '@toolgate/sdk';
import { CopyPlus, Play, RefreshCw, Stethoscope } from 'lucide-react';
import { useState } from 'react';
import { useProjectId } from '../../api/client.ts';
import { DeleteDialog } from '../../ui/dialogs/delete.tsx';
import { ActionsMenu, DeleteItem, MenuItem } from '../../ui/menu.tsx';
import { TOOLSET_RESOURCES } from '../tool-access/toolsets.ts';
import { hasSecret } from './auth-values.ts';
import { DuplicateToolDialog } from './duplicate.tsx';
import { RotateSecretDialog } from './secret.tsx';
import { isSigned, SIGNATURE_DIALOG } from './values.ts';

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
        <DeleteItem onClick={() => setDialog('delete')} />
      </ActionsMenu>
      <DuplicateToolDialog tool={tool} open={dialog === 'duplicate'} onOpenChange={close} />
      <RotateSecretDialog tool={tool} open={dialog === 'rotate'} onOpenChange={close} />
      <DeleteToolDialog tool={tool} open={dialog === 'delete'} onOpenChange={close} onDeleted={onDeleted} />
    </>
  );
}

type DeleteProps = { tool: CustomTool; open: boolean; onOpenChange: () => void; onDeleted: (() => void) | undefined };

function DeleteToolDialog({ tool: { id, name }, open, onOpenChange, onDeleted }: DeleteProps) {
  return (
    <DeleteDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete the tool “${name}”?`}
      name={name}
      remove={(toolgate) => toolgate.customTools.delete(id)}
      done={`“${name}” is deleted`}
      onDone={onDeleted}
      invalidates={['custom-tools', ...TOOLSET_RESOURCES]}
    >
      Models can no longer call it, and its versions and secret are deleted. Its calls stay in the log. This cannot be
      undone.
    </DeleteDialog>
  );
}
