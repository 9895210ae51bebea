// What can be done with an MCP server: sync it now, edit it, delete it with its tools.

import { useMutation } from '@tanstack/react-query';
import type { McpServer } from '@toolgate/sdk';
import { RefreshCw } from 'lucide-react';
import { invalidateProject, slowProjectApi, useProjectId } from '../../api/client.ts';
import { ChangeDialog } from '../../ui/dialogs/change.tsx';
import { useRowDialogs } from '../../ui/dialogs/row-dialogs.ts';
import { ActionsMenu, DeleteItem, EditItem, MenuItem } from '../../ui/menu.tsx';
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
        title: `“${name}” synced`,
        description: pending_count > 0 ? `${pendingText(pending_count)}: review them.` : 'Nothing waits for approval.',
      }),
    onError: showError,
    onSettled: () => invalidateProject(projectId, TOOL_RESOURCES),
  });
}

type Props = { server: McpServer; onDeleted?: () => Promise<void> };

export function McpServerActions({ server, onDeleted }: Props) {
  const dialogs = useRowDialogs<'edit' | 'delete'>();
  const sync = useSync(server);
  return (
    <>
      <ActionsMenu>
        <MenuItem icon={<RefreshCw />} needs="write" onClick={() => sync.mutate()}>
          Sync now
        </MenuItem>
        <EditItem needs="write" onClick={dialogs.opens('edit')} />
        <DeleteItem onClick={dialogs.opens('delete')} />
      </ActionsMenu>
      <McpServerDialog server={server} {...dialogs.of('edit')} />
      <DeleteServerDialog server={server} {...dialogs.of('delete')} onDeleted={onDeleted} />
    </>
  );
}

type DeleteProps = {
  server: McpServer;
  open: boolean;
  onOpenChange: () => void;
  onDeleted: (() => Promise<void>) | undefined;
};

function DeleteServerDialog({ server: { id, name, tool_count }, open, onOpenChange, onDeleted }: DeleteProps) {
  return (
    <ChangeDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete the MCP server “${name}”?`}
      name={name}
      change={(toolgate) => toolgate.mcpServers.delete(id)}
      done={`“${name}” deleted`}
      onDone={onDeleted}
      invalidates={TOOL_RESOURCES}
    >
      {tool_count === 0
        ? 'It has no approved tools. Tools waiting for approval are deleted with it.'
        : `${count(tool_count, 'tool')} of this project ${tool_count === 1 ? 'comes' : 'come'} from it and ${tool_count === 1 ? 'is' : 'are'} deleted with it: models can no longer call ${tool_count === 1 ? 'it' : 'them'}.`}{' '}
      toolgate doesn't notify the server. This cannot be undone.
    </ChangeDialog>
  );
}
