// Some changes need the password again when it was given more than 10 minutes ago. reauthentication-dialog.tsx asks.

import { ToolgateError } from '@toolgate/sdk';
import { showError } from '../../ui/toasts.ts';

/** Resolves to false if the person does not want to. */
type Ask = () => Promise<boolean>;

let ask: Ask | null = null;

/** The dialog sets it while it is on the page. Returns how to take it back. */
export function onReauthentication(given: Ask): () => void {
  ask = given;
  return () => {
    if (ask === given) ask = null;
  };
}

const isWanted = (error: unknown) => error instanceof ToolgateError && error.code === 'REAUTHENTICATION_REQUIRED';

/** The failure of a button or menu. Whoever closed the dialog knows why nothing happened. */
export function showRefusal(error: unknown): void {
  if (!isWanted(error)) showError(error);
}

/** Sends a request; if the API wants the password again, asks for it and repeats the request. */
export async function withReauthentication<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!isWanted(error) || ask === null || !(await ask())) throw error;
    return send();
  }
}
