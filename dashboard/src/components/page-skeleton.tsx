// While the script or the data of a page is on its way.

import { Loading, Skeleton } from './skeleton.tsx';

export function PageSkeleton() {
  return (
    <Loading label="page">
      <Skeleton className="mb-3 h-6 w-40" />
      <Skeleton className="mb-8 w-72" />
      <Skeleton className="h-48 w-full rounded-lg" />
    </Loading>
  );
}
