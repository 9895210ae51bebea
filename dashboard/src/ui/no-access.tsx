// Instead of a list or a number that the person may not read: the reason.

import { Lock } from 'lucide-react';
import { type Permission, useAccess } from '../api/session.ts';
import { cn } from './class-names.ts';
import { cardClass } from './section.tsx';
import { EmptyState } from './states.tsx';

export function NoAccess({ what, needs }: { what: string; needs: Permission }) {
  const reason = useAccess().reason(needs);
  return (
    <div className={cn(cardClass, 'border-dashed')}>
      <EmptyState icon={<Lock />} title={`You cannot see ${what}`}>
        {reason}
      </EmptyState>
    </div>
  );
}

/** For a cell, which has no room for the reason: it is shown on hover. */
export function NoAccessText({ needs }: { needs: Permission }) {
  return (
    <span title={useAccess().reason(needs)} className="text-faint">
      No access
    </span>
  );
}
