// Messages of buttons, switches and menus. A change that can be undone offers it here.

import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import { IconButton } from './button.tsx';
import { cn } from './class-names.ts';
import { RequestId } from './states.tsx';
import { toasts } from './toasts.ts';

export function Toasts() {
  return (
    <Toast.Provider toastManager={toasts}>
      <Toast.Portal>
        <Toast.Viewport className="fixed right-4 bottom-4 z-50 flex w-[calc(100vw-2rem)] flex-col gap-2 sm:w-88">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

/**
 * Instead of the default, a dialog: it asks for nothing, and shortcuts work beside it. A group is announced by the region
 * around it. An alert announces itself, and not by the region too: only the nearest of both counts.
 */
const notADialog = (isError: boolean) => ({ role: isError ? 'alert' : 'group', 'aria-modal': undefined });

function ToastList() {
  const { toasts: shown } = Toast.useToastManager<{ requestId: string | null }>();
  return shown.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      swipeDirection="right"
      {...notADialog(toast.type === 'error')}
      className="w-full rounded-lg border border-line bg-raised shadow-pop transition-[opacity,transform] duration-200 data-ending-style:translate-y-2 data-starting-style:translate-y-2 data-ending-style:opacity-0 data-starting-style:opacity-0 data-limited:hidden"
    >
      <Toast.Content className="flex items-start gap-3 p-3">
        <div className="min-w-0 flex-1">
          <Toast.Title className={cn('break-words font-medium', toast.type === 'error' && 'text-danger')} />
          <Toast.Description className="break-words text-muted" />
          {toast.data?.requestId && <RequestId id={toast.data.requestId} />}
        </div>
        <Toast.Action className="h-6 rounded px-2 font-medium text-accent text-xs hover:bg-hover" />
        {/* Hidden from screen readers by default, although it can have the focus. */}
        <Toast.Close aria-hidden={undefined} render={<IconButton label="Dismiss" icon={<X />} className="size-6" />} />
      </Toast.Content>
    </Toast.Root>
  ));
}
