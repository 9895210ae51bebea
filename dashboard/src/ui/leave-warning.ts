// A page with unsaved changes is not left by accident.

import { useBlocker } from '@tanstack/react-router';

export function useLeaveWarning(hasChanges: boolean): void {
  useBlocker({
    disabled: !hasChanges,
    enableBeforeUnload: hasChanges,
    shouldBlockFn: ({ current, next }) => {
      if (current.pathname === next.pathname) return false;
      // The session is signed out. The changes can be saved after a sign-in in another tab.
      if (next.pathname === '/sign-in') return true;
      return !window.confirm('Leave without saving your changes?');
    },
  });
}
