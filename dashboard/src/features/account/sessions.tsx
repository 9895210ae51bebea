// Where a person is signed in.

import { useMutation, useQuery } from '@tanstack/react-query';
import type { AccountSession } from '@toolgate/sdk';
import { queryClient, toolgate } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { showError, showToast } from '../../ui/toasts.ts';

const sessionsKey = ['account', 'sessions'];

export function SessionsSection() {
  const query = useQuery({ queryKey: sessionsKey, queryFn: () => toolgate.account.sessions.list({ limit: 100 }) });
  const end = useEnd();
  const others = query.data?.data.filter(({ is_current }) => !is_current).length ?? 0;
  return (
    <Section
      title="Sessions"
      aside={
        <Button size="sm" disabled={others === 0} busy={end.isPending} onClick={() => end.mutate('others')}>
          Sign out all others
        </Button>
      }
    >
      <DataTable
        label="Sessions"
        query={query}
        columns={columns(end.mutate)}
        rowKey={({ id }) => id}
        expected={2}
        empty={null}
      />
    </Section>
  );
}

function columns(end: (id: string) => void): Column<AccountSession>[] {
  return [
    {
      header: 'Browser',
      cell: ({ user_agent, is_current, last_seen_at }) => (
        <>
          <span className="flex items-center gap-2">
            <span className="truncate" title={user_agent ?? undefined}>
              {browserName(user_agent)}
            </span>
            {is_current && <Badge tone="success">This session</Badge>}
          </span>
          <div className="truncate text-faint text-xs sm:hidden">
            <Time value={last_seen_at} />
          </div>
        </>
      ),
    },
    { header: 'IP address', from: 'md', width: 'w-44', cell: ({ ip }) => ip ?? '' },
    { header: 'Last seen', from: 'sm', width: 'w-36', cell: ({ last_seen_at }) => <Time value={last_seen_at} /> },
    { header: 'Expires', from: 'lg', width: 'w-32', cell: ({ expires_at }) => <Time value={expires_at} /> },
    {
      header: 'Actions',
      hideHeader: true,
      width: 'w-36',
      align: 'right',
      cell: ({ id, is_current }) =>
        !is_current && (
          <Button size="sm" onClick={() => end(id)}>
            End session
          </Button>
        ),
    },
  ];
}

function useEnd() {
  return useMutation({
    mutationFn: async (which: string) => {
      if (which === 'others') await toolgate.account.sessions.endOthers();
      else await toolgate.account.sessions.delete(which);
    },
    onSuccess: async (_, which) => {
      showToast({ title: which === 'others' ? 'Other sessions signed out' : 'Session signed out' });
      await queryClient.invalidateQueries({ queryKey: sessionsKey });
    },
    onError: showError,
  });
}

const browsers: [pattern: RegExp, name: string][] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: [pattern: RegExp, name: string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Mac OS X/, 'macOS'],
  [/Windows/, 'Windows'],
  [/Linux/, 'Linux'],
];

/** "Firefox on macOS". The order matters: Chrome's text also says Safari. */
function browserName(agent: string | null): string {
  const find = (list: typeof browsers) => list.find(([pattern]) => pattern.test(agent ?? ''))?.[1];
  const browser = find(browsers);
  const system = find(systems);
  if (!browser) return agent?.slice(0, 60) ?? 'Unknown';
  return system ? `${browser} on ${system}` : browser;
}
