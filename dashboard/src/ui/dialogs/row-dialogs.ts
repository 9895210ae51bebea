// Which of the dialogs of a row is open: its menu opens one at a time.

import { useState } from 'react';

export function useRowDialogs<Name extends string>() {
  const [opened, setOpened] = useState<Name | null>(null);
  return {
    /** For `onClick`. */
    opens: (name: Name) => () => setOpened(name),
    /** The props of a dialog. */
    of: (name: Name) => ({ open: opened === name, onOpenChange: () => setOpened(null) }),
  };
}
