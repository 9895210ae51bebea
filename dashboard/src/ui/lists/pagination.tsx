// Pages by cursor: the cursor is in the URL. "Previous" goes back in the history, because cursors lead forward only.

import { useNavigate, useRouter } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { Button } from '../button.tsx';
import { useFilters } from '../search.ts';

declare module '@tanstack/react-router' {
  /** Kept with each entry of the browser's history. */
  interface HistoryState {
    hasPreviousPage?: boolean;
  }
}

/** `isBehindEnd`: the page has no rows any more, so the one before is shown. */
type PaginationProps = { nextCursor: string | null; isBehindEnd: boolean };

export function Pagination({ nextCursor, isBehindEnd }: PaginationProps) {
  const { values } = useFilters();
  const navigate = useNavigate();
  const router = useRouter();
  const isFirst = values.cursor === undefined;
  const goTo = (cursor: string | undefined) =>
    void navigate({
      to: '.',
      search: { ...values, cursor },
      state: { hasPreviousPage: cursor !== undefined },
      replace: isBehindEnd,
    });
  const goBack = () => {
    if (router.state.location.state.hasPreviousPage) router.history.back();
    else goTo(undefined); // the link of somebody else: its earlier pages are not known
  };
  const leave = useEffectEvent(goBack);
  useEffect(() => {
    if (isBehindEnd) leave();
  }, [isBehindEnd]);
  if (isFirst && nextCursor === null) return null;
  return (
    <nav aria-label="Pages" className="mt-3 flex justify-end gap-2">
      <Button size="sm" disabled={isFirst} onClick={goBack}>
        <ChevronLeft /> Previous
      </Button>
      <Button size="sm" disabled={nextCursor === null} onClick={() => goTo(nextCursor ?? undefined)}>
        Next <ChevronRight />
      </Button>
    </nav>
  );
}
