// Shows a message: what was done goes away by itself, what failed stays until it is dismissed. toast.tsx draws it.

import { Toast } from '@base-ui/react/toast';
import { ToolgateError } from '@toolgate/sdk';
import { describeError } from '../api/errors.ts';
import { showHidden } from './words.ts';

/** `failure`: what did not work of it. The message then stays until it is dismissed. */
type Message = { title: string; description?: string; failure?: string; undo?: () => void };

/** `requestId`: of the request that failed. */
export const toasts = Toast.createToastManager<{ requestId: string | null }>();

const SHORT_MS = 5_000;

export function showToast({ title, description, failure, undo }: Message): void {
  const text = failure ?? description;
  const timeout = undo ? 8_000 : SHORT_MS;
  const id = toasts.add({
    title: showHidden(title),
    description: text && showHidden(text),
    timeout: failure ? 0 : timeout,
    ...(failure && { type: 'error' }),
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

/** The failure of a button, a switch or a menu. A form shows its failure itself. */
export function showError(error: unknown): void {
  const { message, remedy, requestId } = describeError(error);
  // Whoever is signed out gets to the page that says so: the message need not stay above it.
  const isSignedOut = error instanceof ToolgateError && error.code === 'NOT_SIGNED_IN';
  const timeout = isSignedOut ? SHORT_MS : 0;
  toasts.add({ type: 'error', title: showHidden(message), description: remedy, data: { requestId }, timeout });
}
