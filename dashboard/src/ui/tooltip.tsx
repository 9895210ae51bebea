// A short text on hover and on focus. Never the only place of something important: touch screens have no hover.

import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';
import { popups } from './popups.ts';

export function Tooltip({ text, children }: { text: string; children: ReactElement }) {
  return (
    // Escape closes the dialog around it as well: the tooltip opens by itself when its button gets the focus.
    <Base.Root onOpenChange={(_, details) => details.reason === 'escape-key' && details.allowPropagation()}>
      <Base.Trigger render={children as ReactElement<Record<string, unknown>>} delay={300} aria-description={text} />
      <Base.Portal container={popups()}>
        <Base.Positioner sideOffset={6} className="z-50">
          <Base.Popup className="max-w-64 rounded-md bg-solid px-2 py-1 text-on-solid text-xs shadow-pop">
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
