// What can be done with an MCP server: sync it now, edit it, delete it with its tools.

import { useMutation } from '@tanstack/react-query';
import type { McpServer } from '@toolgate/sdk';
import { Pencil, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { invalidateProject, slowProjectApi, useProjectApi, useProjectId } from '../../api/client.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { ActionsMenu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { showError, showToast } from '../../ui/toasts.ts';
import { count } from '../../ui/words.ts';
import { McpServerDialog } from './form.tsx';
import { pendingText, TOOL_RESOURCES } from './queries.ts';

/** Reads its list of tools. What failed is also on the page afterwards: its status and its last error. */
export function useSync({ id, name }: McpServer) {
  const projectId = useProjectId();
  return useMutation({
    mutationFn: () => slowProjectApi(projectId).mcpServers.sync(id),
    onSuccess: ({ pending_count }) =>
      showToast({
        title: `“${name}” is synced`,
        description: pending_count > 0 ? `${pendingText(pending_count)}: review them.` : 'Nothing waits for approval.',
      }),
    onError: showError,
    onSettled: () => invalidateProject(projectId, TOOL_RESOURCES),
  });
}

type Props = { server: McpServer; onDeleted?: () => void };

export function McpServerActions({ server, onDeleted }: Props) {
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const sync = useSync(server);
  return (
    <>
      <ActionsMenu>
        <MenuItem icon={<RefreshCw />} needs="write" onClick={() => sync.mutate()}>
          Sync now
        </MenuItem>
        <MenuItem icon={<Pencil />} needs="write" onClick={() => setDialog('edit')}>
          Edit
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 />} danger needs="admin" onClick={() => setDialog('delete')}>
          Delete
        </MenuItem>
      </ActionsMenu>
      <McpServerDialog server={server} open={dialog === 'edit'} onOpenChange={close} />
      <DeleteServerDialog server={server} open={dialog === 'delete'} onOpenChange={close} onDeleted={onDeleted} />
    </>
  );
}

type DeleteProps = {
  server: McpServer;
  open: boolean;
  onOpenChange: () => void;
  onDeleted: (() => void) | undefined;
};

function DeleteServerDialog({ server: { id, name, tool_count }, open, onOpenChange, onDeleted }: DeleteProps) {
  const api = useProjectApi();
  const projectId = useProjectId();
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete the MCP server “${name}”?`}
      name={name}
      action="Delete"
      onConfirm={async () => {
        await api.mcpServers.delete(id);
        showToast({ title: `“${name}” is deleted` });
        onDeleted?.();
        await invalidateProject(projectId, TOOL_RESOURCES);
      }}
    >
      {tool_count === 0
        ? 'It has no approved tools. What waits for approval is deleted with it.'
        : `${count(tool_count, 'tool')} of this project ${tool_count === 1 ? 'comes' : 'come'} from it and ${tool_count === 1 ? 'is' : 'are'} deleted with it: models can no longer call ${tool_count === 1 ? 'it' : 'them'}.`}{' '}
      The server itself is not told. This cannot be undone.
    </ConfirmDialog>
  );
}
