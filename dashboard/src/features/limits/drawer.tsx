// One limit: what it counts, who has used how much of it, and its overrides.

import { Link } from '@tanstack/react-router';
import type { Limit } from '@toolgate/sdk';
import type { ReactNode } from 'react';
import { useProjectId } from '../../api/client.ts';
import { linkClass } from '../../ui/button.tsx';
import { CopyableCode } from '../../ui/copy.tsx';
import { Drawer } from '../../ui/dialogs/drawer.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Name } from '../../ui/name.tsx';
import { Section } from '../../ui/section.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { matchText } from '../tool-access/match.ts';
import { subjectWords, windowText } from './limits.ts';
import { useSubjectNames } from './subjects.ts';
import { UsageList } from './usage.tsx';

type Props = { id: string | undefined; limit: Limit | undefined; nameOf: (id: string) => string; onClose: () => void };

export function LimitDrawer({ id, limit, nameOf, onClose }: Props) {
  return (
    <Drawer
      open={id !== undefined}
      onClose={onClose}
      title={limit ? limit.name : 'Limit'}
      description={<CopyableCode text={id ?? ''} label="Copy limit id" />}
    >
      {limit ? (
        <LimitDetails limit={limit} nameOf={nameOf} />
      ) : (
        <EmptyState title="No such limit">It may have been deleted.</EmptyState>
      )}
    </Drawer>
  );
}

function LimitDetails({ limit, nameOf }: { limit: Limit; nameOf: (id: string) => string }) {
  const projectId = useProjectId();
  const facts: [string, ReactNode][] = [
    ['Applies to', <Name key="match" text={matchText(limit.match, nameOf)} />],
    ['Counted for', subjectWords[limit.per]],
    ['Calls', limit.limit.toLocaleString('en')],
    ['In any', windowText(limit.window_seconds)],
    ['Changed', <Time key="changed" value={limit.updated_at} />],
  ];
  return (
    <div className="grid grid-cols-1 gap-6">
      <Facts facts={facts} />
      <Section
        title="Usage in the current window"
        aside={
          <Link
            to="/projects/$projectId/logs"
            params={{ projectId }}
            search={{ error_code: 'TOOL_LIMIT_REACHED' }}
            className={linkClass}
          >
            Refused calls
          </Link>
        }
      >
        <UsageList limit={limit} />
      </Section>
      {limit.overrides.length > 0 && <Overrides limit={limit} />}
    </div>
  );
}

function Overrides({ limit: { per, overrides } }: { limit: Limit }) {
  const nameOf = useSubjectNames(
    per,
    overrides.map(({ subject_id }) => subject_id),
  );
  return (
    <Section title="Overrides">
      <ul aria-label="Overrides" className="grid max-h-64 gap-1 overflow-y-auto">
        {overrides.map(({ subject_id, limit }) => (
          <li key={subject_id} className="flex min-w-0 justify-between gap-3">
            <span className="truncate">
              <Name text={nameOf(subject_id)} />
            </span>
            <span className="shrink-0 tabular-nums">{limit.toLocaleString('en')}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
