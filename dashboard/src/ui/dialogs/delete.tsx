// Asks before something of the project is deleted, deletes it, and says so.

import type { Toolgate } from '@toolgate/sdk';
import type { ReactNode } from 'react';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { showToast } from '../toasts.ts';
import { ConfirmDialog } from './confirm.tsx';

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** "Delete the limit “Refunds”?" */
  title: string;
  /** What has to be typed. */
  name: string;
  remove: (toolgate: Toolgate) => Promise<unknown>;
  /** Said in a toast when it is done. */
  done: string;
  onDone?: (() => void) | undefined;
  /** The resources that are read again afterwards. */
  invalidates: string[];
  /** What happens, and what stops working. */
  children: ReactNode;
};

export function DeleteDialog({ remove, done, onDone, invalidates, ...props }: Props) {
  const api = useProjectApi();
  const projectId = useProjectId();
  return (
    <ConfirmDialog
      {...props}
      action="Delete"
      onConfirm={async () => {
        await remove(api);
        showToast({ title: done });
        onDone?.();
        await invalidateProject(projectId, invalidates);
      }}
    />
  );
}
