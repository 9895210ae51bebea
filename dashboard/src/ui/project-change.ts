// A change of something in the project, made by a button, a switch or a menu.

import { useMutation } from '@tanstack/react-query';
import type { Toolgate } from '@toolgate/sdk';
import { invalidateProject, projectApi, useProjectId } from '../api/client.ts';
import { showError, showToast } from './toasts.ts';

type Change<Input, Result> = {
  change: (toolgate: Toolgate, input: Input) => Promise<Result>;
  /** The resources that are read again afterwards: `['api-keys']`. */
  invalidates: string[];
  /** Said in a toast when it is done. */
  done?: string | ((result: Result, input: Input) => string);
  /** Offered in that toast. */
  undo?: (result: Result, input: Input) => void;
};

/** Changes something of the project from a button or a menu. Forms use useApiForm, which shows errors at the fields. */
export function useProjectChange<Input = void, Result = unknown>(given: Change<Input, Result>) {
  const projectId = useProjectId();
  return useMutation({
    mutationFn: (input: Input) => given.change(projectApi(projectId), input),
    onSuccess: async (result, input) => {
      if (given.done) {
        const title = typeof given.done === 'string' ? given.done : given.done(result, input);
        showToast({ title, ...(given.undo && { undo: () => given.undo?.(result, input) }) });
      }
      await invalidateProject(projectId, given.invalidates);
    },
    onError: showError,
  });
}

type Enabling = Pick<Change<boolean, unknown>, 'change' | 'invalidates'> & { done: (isEnabled: boolean) => string };

/** Activates or deactivates something, which can be undone from the toast. */
export function useEnabling({ change, invalidates, done }: Enabling): (isEnabled: boolean) => void {
  const { mutate } = useProjectChange<boolean>({
    change,
    invalidates,
    done: (_, isEnabled) => done(isEnabled),
    undo: (_, isEnabled) => mutate(!isEnabled),
  });
  return mutate;
}
