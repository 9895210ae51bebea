// While the script or the data of a page is being sent.

import { Loading, Skeleton } from './skeleton.tsx';

/** Before it is known who is signed in. */
export function AppSkeleton() {
  return (
    <div className="flex min-h-dvh flex-col">
      <div className="h-12 border-line border-b" />
      <div className="mx-auto w-full max-w-5xl px-4 py-8">
        <PageSkeleton />
      </div>
    </div>
  );
}

export function PageSkeleton() {
  return (
    <Loading label="page">
      <Skeleton className="mb-3 h-6 w-40" />
      <Skeleton className="mb-8 w-72" />
      <Skeleton className="h-48 w-full rounded-lg" />
    </Loading>
  );
}
