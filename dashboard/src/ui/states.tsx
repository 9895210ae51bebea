// What a page shows instead of data: nothing there yet, nothing found, or a failed request.

import { ToolgateError } from '@toolgate/sdk';
import { CircleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { retryFailed } from '../api/client.ts';
import { describeError } from '../api/errors.ts';
import { Button, inlineLinkClass } from './button.tsx';
import { cn } from './class-names.ts';
import { CopyIcon } from './copy.tsx';
import { Loading, Skeleton } from './skeleton.tsx';

/** One sentence, the primary action, and optionally a snippet. */
export function EmptyState({ icon, title, children, action, compact }: EmptyStateProps) {
  return (
    <div className={cn('flex flex-col items-center px-6 text-center', compact ? 'py-8' : 'py-14')}>
      {icon && (
        <div className="mb-4 grid size-10 place-items-center rounded-lg border border-line bg-surface text-faint [&_svg]:size-5">
          {icon}
        </div>
      )}
      <h2 className="font-medium">{title}</h2>
      {children && <div className="mt-1 max-w-md text-muted">{children}</div>}
      {action && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

type EmptyStateProps = {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** For a part of a page that has other parts. */
  compact?: boolean;
};

/** What the API said, the remedy, and the request id to look up or to send to support. */
export function ErrorAlert({
  error,
  className,
  children,
}: {
  error: unknown;
  className?: string;
  children?: ReactNode;
}) {
  const { message, remedy, requestId } = describeError(error);
  return (
    <div
      role="alert"
      className={cn(
        'flex gap-2.5 rounded-md border border-danger/30 bg-danger-soft px-3 py-2.5 text-danger',
        className,
      )}
    >
      <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="break-words font-medium">{message}</p>
        {remedy && <p className="break-words text-ink">{remedy}</p>}
        {error instanceof ToolgateError && error.code === 'NOT_SIGNED_IN' && <SignInElsewhere />}
        {requestId && <RequestId id={requestId} />}
        {children}
      </div>
    </div>
  );
}

/** In another tab: what was typed here stays. */
function SignInElsewhere() {
  return (
    <p className="text-ink">
      <a href="/sign-in" target="_blank" rel="noopener" className={inlineLinkClass}>
        Sign in
      </a>{' '}
      in a new tab, then try again here.
    </p>
  );
}

export function RequestId({ id }: { id: string }) {
  return (
    <p className="flex items-center gap-1 text-muted text-xs">
      Request <code className="truncate">{id}</code>
      <CopyIcon text={id} label="Copy request id" />
    </p>
  );
}

/** A failed request of a whole page or table. "Try again" tries the other parts of the page that failed, too. */
export function ErrorState({ error, retry }: { error: unknown; retry: () => unknown }) {
  const [isRetrying, setRetrying] = useState(false);
  const tryAgain = async () => {
    setRetrying(true);
    try {
      await Promise.all([retry(), retryFailed()]);
    } finally {
      setRetrying(false);
    }
  };
  return (
    <div className="mx-auto w-full max-w-xl px-4 py-12">
      {isRetrying ? (
        // As high as the alert. If the request fails again, the alert is a new one, and is read again.
        <Loading label="again">
          <Skeleton className="h-24 w-full rounded-md" />
        </Loading>
      ) : (
        <ErrorAlert error={error}>
          <Button size="sm" className="mt-2" onClick={() => void tryAgain()}>
            Try again
          </Button>
        </ErrorAlert>
      )}
    </div>
  );
}
