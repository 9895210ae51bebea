// A page with unsaved changes is not left by accident.

import { useBlocker } from '@tanstack/react-router';

/** `question`: null if nothing is lost, because the page keeps its changes itself. */
export function useLeaveWarning(
  hasChanges: boolean,
  question: string | null = 'Leave without saving your changes?',
): void {
  useBlocker({
    disabled: !hasChanges,
    enableBeforeUnload: hasChanges && question !== null,
    shouldBlockFn: ({ current, next }) => {
      if (current.pathname === next.pathname) return false;
      // The session is signed out. The changes can be saved after a sign-in in another tab.
      if (next.pathname === '/sign-in') return true;
      return question !== null && !window.confirm(question);
    },
  });
}
