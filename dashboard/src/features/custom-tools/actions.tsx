// The "Actions" of a tool, in the list and on its page.

import { Link, useNavigate } from '@tanstack/react-router';
import type { CustomTool } from '@toolgate/sdk';
import { CopyPlus, Play, Stethoscope } from 'lucide-react';
import { useProjectId } from '../../api/client.ts';
import { ChangeDialog } from '../../ui/dialogs/change.tsx';
import { useRowDialogs } from '../../ui/dialogs/row-dialogs.ts';
import { ActionsMenu, DeleteItem, MenuItem, RotateItem } from '../../ui/menu.tsx';
import { TOOLSET_RESOURCES } from '../tool-access/toolsets.ts';
import { hasSecret } from './auth-values.ts';
import { DuplicateToolDialog } from './duplicate.tsx';
import { RotateSecretDialog } from './secret.tsx';
import { isSigned, SIGNATURE_DIALOG } from './values.ts';

export function CustomToolActions({ tool, onDeleted }: { tool: CustomTool; onDeleted?: () => Promise<void> }) {
  const dialogs = useRowDialogs<'duplicate' | 'rotate' | 'delete'>();
  const projectId = useProjectId();
  const navigate = useNavigate();
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
        <RotateItem
          needs="write"
          onClick={dialogs.opens('rotate')}
          {...(!hasSecret(tool.auth_strategy) && { disabledReason: 'It has no secret.' })}
        />
        <MenuItem icon={<CopyPlus />} needs="write" onClick={dialogs.opens('duplicate')}>
          Duplicate
        </MenuItem>
        <DeleteItem onClick={dialogs.opens('delete')} />
      </ActionsMenu>
      <DuplicateToolDialog tool={tool} {...dialogs.of('duplicate')} />
      <RotateSecretDialog tool={tool} {...dialogs.of('rotate')} />
      <DeleteToolDialog tool={tool} {...dialogs.of('delete')} onDeleted={onDeleted} />
    </>
  );
}

type DeleteProps = {
  tool: CustomTool;
  open: boolean;
  onOpenChange: () => void;
  onDeleted: (() => Promise<void>) | undefined;
};

function DeleteToolDialog({ tool: { id, name }, open, onOpenChange, onDeleted }: DeleteProps) {
  return (
    <ChangeDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete the tool “${name}”?`}
      name={name}
      change={(toolgate) => toolgate.customTools.delete(id)}
      done={`“${name}” deleted`}
      onDone={onDeleted}
      invalidates={['custom-tools', ...TOOLSET_RESOURCES]}
    >
      Models can no longer call it, and its versions and secret are deleted. Its calls stay in the log. This cannot be
      undone.
    </ChangeDialog>
  );
}
