// The log streams of a project: where its logs are sent, how far each is behind, and what went wrong last.

import { MAX_LOG_STREAMS } from '@toolgate/contract/log-streams/rules.ts';
import type { LogStream, NewLogStream } from '@toolgate/sdk';
import { Waypoints } from 'lucide-react';
import { useAccess } from '../../api/session.ts';
import { StatusBadge } from '../../ui/badge.tsx';
import { cn } from '../../ui/class-names.ts';
import { actionsColumn, type Column } from '../../ui/lists/data-table.tsx';
import { SettingsList } from '../../ui/lists/settings-list.tsx';
import { Name } from '../../ui/name.tsx';
import { useIsNarrow } from '../../ui/narrow.ts';
import { Time } from '../../ui/time.tsx';
import { LogStreamActions } from './actions.tsx';
import { LogStreamDialog, LogStreamSecretDialog } from './form.tsx';
import { kindWords, lagText, receiverOf, sourceWords, stateOf, useLogStreamsQuery } from './log-streams.ts';
import { createSnippet } from './snippets.ts';

export function LogStreamsPage() {
  const isNarrow = useIsNarrow();
  return (
    <SettingsList<LogStream, NewLogStream>
      title="Log streams"
      one="log stream"
      most={MAX_LOG_STREAMS}
      description="Send the call log and the audit log to your own receivers as they grow: in order, at least once, and without gaps after an outage."
      query={useLogStreamsQuery(useAccess().can('admin'))}
      columns={(onSecret) => columnsOf(onSecret, isNarrow)}
      createDialog={(props) => <LogStreamDialog stream={null} {...props} />}
      secretDialog={(props) => <LogStreamSecretDialog {...props} />}
      icon={<Waypoints />}
      example={createSnippet}
      tag="log-streams"
    >
      Send every call, or every change, to your SIEM, to an OpenTelemetry collector or to a bucket. Files of the audit
      log are signed, and can be verified without this server.
    </SettingsList>
  );
}

function columnsOf(onSecret: (stream: NewLogStream) => void, isNarrow: boolean): Column<LogStream>[] {
  return [
    {
      header: 'Name',
      cell: (stream) => (
        <div className={cn(isNarrow && 'py-2')}>
          <div className="truncate font-medium">
            <Name text={stream.name} />
          </div>
          <div className="truncate text-faint text-xs" title={receiverOf(stream)}>
            {receiverOf(stream)}
          </div>
          {isNarrow && <Summary stream={stream} />}
        </div>
      ),
    },
    {
      header: 'Kind',
      from: 'md',
      width: 'w-36',
      cell: ({ kind, source }) => (
        <>
          <div className="truncate">{kindWords[kind]}</div>
          <div className="truncate text-faint text-xs">{sourceWords[source]}</div>
        </>
      ),
    },
    { header: 'State', width: 'w-28', cell: (stream) => <StatusBadge status={stateOf(stream)} /> },
    {
      header: 'Lag',
      from: 'sm',
      width: 'w-28',
      cell: ({ lag_seconds, last_sent_at }) => (
        <>
          <div className="truncate tabular-nums">{lagText(lag_seconds)}</div>
          <div className="truncate text-faint text-xs">
            <Time value={last_sent_at} empty="Nothing sent" />
          </div>
        </>
      ),
    },
    { header: 'Last error', from: 'md', width: 'w-[22%]', cell: (stream) => <LastError stream={stream} /> },
    actionsColumn((stream) => <LogStreamActions stream={stream} onSecret={onSecret} />),
  ];
}

/** What the columns say that a narrow screen has no room for. */
function Summary({ stream: { kind, source, lag_seconds, last_error } }: { stream: LogStream }) {
  return (
    <div className="whitespace-normal text-xs">
      <p className="text-muted">
        {sourceWords[source]}, {kindWords[kind]}
        {lag_seconds > 0 && `, ${lagText(lag_seconds)} behind`}
      </p>
      {last_error && <p className="text-danger">{last_error.message}</p>}
    </div>
  );
}

function LastError({ stream: { last_error, disabled_reason } }: { stream: LogStream }) {
  if (!last_error) return <span className="text-faint">None</span>;
  return (
    <>
      <div className="truncate text-danger" title={last_error.message}>
        {last_error.message}
      </div>
      <div className="truncate text-faint text-xs">
        <Time value={last_error.created_at} />
        {disabled_reason === 'failing' && ', disabled after 5 days'}
      </div>
    </>
  );
}
