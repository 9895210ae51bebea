// Shows a message that goes away by itself. components/toast.tsx draws it.

import { Toast } from '@base-ui/react/toast';

type Message = { title: string; description?: string; undo?: () => void };

export const toasts = Toast.createToastManager();

export function showToast({ title, description, undo }: Message): void {
  const id = toasts.add({
    title,
    description,
    timeout: undo ? 8_000 : 5_000,
    ...(undo && {
      actionProps: {
        children: 'Undo',
        onClick: () => {
          undo();
          toasts.close(id);
        },
      },
    }),
  });
}
