// Asks before something of the project is deleted, or changed in a way that stops something; does it, and says so.

import type { Toolgate } from '@toolgate/sdk';
import type { ReactNode } from 'react';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { showToast } from '../toasts.ts';
import { ConfirmDialog } from './confirm.tsx';

type Props<Result> = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** "Delete the limit “Refunds”?" */
  title: string;
  /** What has to be typed. Without it a click is enough. */
  name?: string;
  action?: string;
  change: (toolgate: Toolgate) => Promise<Result>;
  /** Said in a toast when it is done. */
  done: string | ((result: Result) => string);
  /** Leaves the page of what was deleted. */
  onDone?: (() => Promise<void>) | undefined;
  /** The resources that are read again afterwards. */
  invalidates: string[];
  /** What happens, and what stops working. */
  children: ReactNode;
};

export function ChangeDialog<Result>({
  action = 'Delete',
  change,
  done,
  onDone,
  invalidates,
  ...props
}: Props<Result>) {
  const api = useProjectApi();
  const projectId = useProjectId();
  return (
    <ConfirmDialog
      {...props}
      action={action}
      onConfirm={async () => {
        const result = await change(api);
        showToast({ title: typeof done === 'string' ? done : done(result) });
        // First: the page would ask for what is gone, and say that it was not found while the next one loads.
        await onDone?.();
        await invalidateProject(projectId, invalidates);
      }}
    />
  );
}
