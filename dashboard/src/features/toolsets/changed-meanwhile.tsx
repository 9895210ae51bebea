// Says what somebody else has saved while there are edits on the page, so that neither is lost.

import { Button } from '../../ui/button.tsx';
import { Name } from '../../ui/name.tsx';
import { labels, type SingleField, type ToolsetValues } from './edits.ts';
import type { Meanwhile } from './toolset-form.ts';

type Props = { meanwhile: Meanwhile; stored: ToolsetValues; onUseTheirs: (field: SingleField) => void };

export function ChangedMeanwhile({ meanwhile: { theirs, conflicts }, stored, onUseTheirs }: Props) {
  if (theirs.length === 0) return null;
  const kept = theirs.filter((field) => !conflicts.includes(field as SingleField));
  return (
    <section
      role="alert"
      aria-label="Changed meanwhile"
      className="grid gap-2 rounded-md border border-warning/40 bg-warning-soft px-3 py-2.5"
    >
      <p className="font-medium text-warning">Someone else saved this toolset while you were editing it.</p>
      {kept.length > 0 && (
        <p>Their changes are on this page too, next to yours: {kept.map((field) => labels[field]).join(', ')}.</p>
      )}
      {conflicts.length > 0 && (
        <ul className="grid gap-1.5">
          {conflicts.map((field) => (
            <li key={field} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="min-w-0 break-words">
                {labels[field]}: they saved “<Name text={String(stored[field] ?? 'off') || 'nothing'} />
                ”. Save again to replace it with yours.
              </span>
              <Button size="sm" onClick={() => onUseTheirs(field)}>
                Use theirs
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
