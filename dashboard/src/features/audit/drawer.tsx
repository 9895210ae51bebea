// One entry of the audit log: who, where from, and each field before and after.

import { Link } from '@tanstack/react-router';
import type { AuditEntry, Toolset } from '@toolgate/sdk';
import { useProjectId } from '../../api/client.ts';
import { linkClass } from '../../ui/button.tsx';
import { CopyableCode } from '../../ui/copy.tsx';
import { Drawer } from '../../ui/dialogs/drawer.tsx';
import { Facts } from '../../ui/facts.tsx';
import { cardClass, Section } from '../../ui/section.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { exactTime } from '../../ui/time.tsx';
import { showHidden } from '../../ui/words.ts';
import { useToolsets } from '../tool-access/toolsets.ts';
import type { ActorNames } from './actors.ts';

type Props = {
  entry: AuditEntry | null;
  /** The id of an entry that a link names, and that is not among those on the page. */
  missingId: string | undefined;
  actors: ActorNames;
  onClose: () => void;
};

export function AuditDrawer({ entry, missingId, actors, onClose }: Props) {
  return (
    <Drawer
      open={entry !== null || missingId !== undefined}
      onClose={onClose}
      title={entry?.action ?? (missingId === undefined ? '' : 'Audit entry')}
      description={entry && showHidden(`${actors.name(entry.actor)}, ${exactTime(entry.created_at)}`)}
    >
      {missingId !== undefined && <MissingEntry id={missingId} />}
      {entry && (
        <div className="grid grid-cols-1 gap-6">
          <Section title="Changes">
            <Diff before={entry.before} after={entry.after} />
          </Section>
          <EntryFacts entry={entry} actors={actors} />
        </div>
      )}
    </Drawer>
  );
}

/** The API lists entries, and reads none by its id. */
function MissingEntry({ id }: { id: string }) {
  return (
    <EmptyState title="This entry is not on this page">
      Newer entries have arrived, or the filters exclude it. To find it, filter by its time, action or target.{' '}
      <CopyableCode text={id} label="Copy entry id" />
    </EmptyState>
  );
}

function EntryFacts({ entry, actors }: { entry: AuditEntry; actors: ActorNames }) {
  const projectId = useProjectId();
  const { actor, target_id, ip, request_id, seq, hash, id } = entry;
  return (
    <Facts
      wide
      facts={[
        ['Actor', actors.name(actor)],
        ['Kind', actors.kind(actor) || '–'],
        ['Actor id', actor.id ? <CopyableCode key="actor" text={actor.id} label="Copy actor id" /> : '–'],
        ['Target', <CopyableCode key="target" text={target_id} label="Copy target id" />],
        ['IP address', ip ?? '–'],
        [
          'Request',
          request_id === null ? (
            '–'
          ) : (
            <Link
              key="request"
              to="/projects/$projectId/logs"
              params={{ projectId }}
              search={{ request_id }}
              className={linkClass}
            >
              <code className="text-xs">{request_id}</code>
            </Link>
          ),
        ],
        ['Position in the chain', seq ?? 'Assigned in a few seconds'],
        ['Hash', hash ? <CopyableCode key="hash" text={hash} label="Copy hash" /> : 'Assigned in a few seconds'],
        ['Entry', <CopyableCode key="entry" text={id} label="Copy entry id" />],
      ]}
    />
  );
}

type State = AuditEntry['before'];

/** Without the time of the change: every change has one, and the entry has it already. */
export const changedFields = (before: State, after: State) =>
  Object.keys({ ...before, ...after }).filter((field) => field !== 'updated_at');

function Diff({ before, after }: { before: State; after: State }) {
  const fields = changedFields(before, after);
  if (fields.length === 0) return <p className="text-muted">The entry lists no fields.</p>;
  return (
    <div className={`${cardClass} overflow-x-auto`}>
      <table aria-label="Changes" className="w-full min-w-96 table-fixed text-xs">
        <thead>
          <tr className="h-8 border-line border-b text-left text-muted">
            <th scope="col" className="w-1/4 px-3 font-medium">
              Field
            </th>
            <th scope="col" className="px-3 font-medium">
              Before
            </th>
            <th scope="col" className="px-3 font-medium">
              After
            </th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field} className="border-line align-top not-last:border-b">
              <th scope="row" className="break-words px-3 py-2 text-left font-medium">
                {field}
              </th>
              <Value state={before} field={field} look="bg-danger-soft text-danger" />
              <Value state={after} field={field} look="bg-success-soft text-success" />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Value({ state, field, look }: { state: State; field: string; look: string }) {
  const toolsets = useToolsets();
  if (state === null || !(field in state)) return <td className="px-3 py-2 text-faint">–</td>;
  const value = state[field];
  const shown = field === 'toolset_ids' ? nameToolsets(value, toolsets ?? []) : value;
  const text = typeof shown === 'string' ? shown : JSON.stringify(shown, null, 1);
  return (
    <td className="px-3 py-2">
      <code className={`whitespace-pre-wrap break-all rounded px-1 ${look}`}>{text}</code>
    </td>
  );
}

/** Ids say nothing to people, and neither null nor an empty list says what it means. */
function nameToolsets(ids: unknown, toolsets: Toolset[]): unknown {
  if (ids === null) return 'All tools';
  if (!Array.isArray(ids)) return ids;
  if (ids.length === 0) return 'No tools';
  return ids.map((id) => showHidden(toolsets.find((toolset) => toolset.id === id)?.name ?? id)).join(', ');
}
