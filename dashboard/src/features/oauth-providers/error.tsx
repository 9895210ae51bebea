// Why the last sign-in at a provider failed: in the list, and in the dialogs where it is repaired.

import type { OAuthProvider } from '@toolgate/sdk';
import { TriangleAlert } from 'lucide-react';
import { Time } from '../../ui/time.tsx';

type LastError = NonNullable<OAuthProvider['last_error']>;

/** Wraps, unlike other cells: the remedy has to be readable on a phone, where nothing shows on hover. */
export function LastErrorInRow({ error: { message, reason, remedy, created_at } }: { error: LastError }) {
  return (
    <div className="whitespace-normal break-words pb-2 text-xs" title={reason}>
      <p className="text-warning">
        Sign-in failed <Time value={created_at} />: {message}
      </p>
      <p className="text-muted">{remedy}</p>
    </div>
  );
}

export function LastErrorBox({ error: { message, reason, remedy, created_at } }: { error: LastError }) {
  return (
    <div className="flex gap-2.5 rounded-md border border-warning/30 bg-warning-soft px-3 py-2.5">
      <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="break-words font-medium text-warning">
          Sign-in failed <Time value={created_at} />: {message}
        </p>
        <p className="break-words">{remedy}</p>
        <p className="break-words text-muted text-xs">{reason}</p>
      </div>
    </div>
  );
}
