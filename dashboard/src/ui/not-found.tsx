// What a page shows that does not exist, or that could not be loaded.

import { useRouter } from '@tanstack/react-router';
import { NotFoundError } from '@toolgate/sdk';
import { ButtonLink } from './button.tsx';
import { useTitle } from './page-header.tsx';
import { ErrorState } from './states.tsx';

export function NotFound() {
  useTitle('Page not found');
  return (
    <div className="grid place-items-center gap-2 py-24 text-center">
      <p aria-hidden className="font-mono text-faint text-xs">
        404
      </p>
      <h1 className="font-semibold text-xl tracking-tight">Page not found</h1>
      <p className="text-muted">There is nothing at this URL, or you don't have access to it.</p>
      <ButtonLink to="/" className="mt-3">
        All projects
      </ButtonLink>
    </div>
  );
}

/** The account could not be read: there is no frame around it. */
export function AppError(props: { error: unknown; reset: () => void }) {
  return (
    <main>
      <h1 className="sr-only">toolgate</h1>
      <PageError {...props} />
    </main>
  );
}

export function PageError({ error, reset }: { error: unknown; reset: () => void }) {
  const router = useRouter();
  if (error instanceof NotFoundError) return <NotFound />;
  return (
    <ErrorState
      error={error}
      retry={() => {
        reset();
        return router.invalidate();
      }}
    />
  );
}
