// "Live" with its pause, and how many rows came since.

import { Pause as PauseIcon, Play } from 'lucide-react';
import { Button } from '../button.tsx';
import type { Pause } from './live.ts';

type Props = {
  pause: Omit<Pause<unknown>, 'rows'>;
  /** Why the list does not grow: a page further back, or a time that is over. */
  offReason?: string | undefined;
  size?: 'sm' | 'md';
};

export function LiveControl({ pause, offReason, size = 'sm' }: Props) {
  const { isPaused, newCount } = pause;
  return (
    <div className="flex items-center gap-2">
      <span role="status" className="flex items-center gap-1.5 text-muted text-xs">
        <span
          aria-hidden
          className={`size-2 rounded-full ${isPaused || offReason ? 'bg-line-strong' : 'bg-success'}`}
        />
        {offReason ? 'Not live' : isPaused ? 'Paused' : 'Live'}
      </span>
      {newCount > 0 && (
        <Button size={size} look="ghost" className="text-accent" onClick={pause.showNew}>
          {newCount} new
        </Button>
      )}
      <Button size={size} onClick={isPaused ? pause.resume : pause.pause} disabledReason={offReason}>
        {isPaused ? <Play /> : <PauseIcon />}
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
    </div>
  );
}
