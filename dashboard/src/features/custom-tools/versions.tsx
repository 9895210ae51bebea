// The tab "Versions": every definition that was saved, what each changed, and the way back to one.

import { useQuery } from '@tanstack/react-query';
import type { CustomTool, CustomToolVersion } from '@toolgate/sdk';
import { History } from 'lucide-react';
import { useState } from 'react';
import { toolgate, useProjectQuery } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ChangeDialog } from '../../ui/dialogs/change.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { JsonView } from '../../ui/forms/json.tsx';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { useFilters } from '../../ui/search.ts';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { restorable } from './values.ts';

type Shown = { version: CustomToolVersion; before: CustomToolVersion | undefined };

export function VersionsTab({ tool }: { tool: CustomTool }) {
  const { values } = useFilters();
  const [shown, setShown] = useState<Shown | null>(null);
  const [restored, setRestored] = useState<CustomToolVersion | null>(null);
  const nameOf = useCreators();
  const query = useProjectQuery(['custom-tools', 'versions', tool.id, tool.version, values.cursor], (api) =>
    api.customTools.versions.list(tool.id, { limit: 50, cursor: values.cursor }),
  );
  const versions = query.data?.data ?? [];
  const before = (version: CustomToolVersion) => versions[versions.indexOf(version) + 1];
  const columns: Column<CustomToolVersion>[] = [
    {
      header: 'Version',
      cell: (version) => (
        <>
          <span className="flex items-center gap-2 font-medium tabular-nums">
            {version.version} {version.version === tool.version && <Badge tone="success">current</Badge>}
          </span>
          <ChangedLine version={version} before={before(version)} />
        </>
      ),
    },
    { header: 'By', from: 'lg', width: 'w-44', cell: ({ created_by }) => nameOf(created_by) },
    { header: 'Saved', from: 'sm', width: 'w-32', cell: ({ created_at }) => <Time value={created_at} /> },
    {
      header: 'Actions',
      hideHeader: true,
      width: 'w-44',
      align: 'right',
      cell: (version) => (
        <span className="inline-flex gap-2">
          <Button size="sm" onClick={() => setShown({ version, before: before(version) })}>
            Show
          </Button>
          <Button
            size="sm"
            needs="write"
            disabledReason={version.version === tool.version ? 'It is the current version.' : undefined}
            onClick={() => setRestored(version)}
          >
            Restore
          </Button>
        </span>
      ),
    },
  ];
  return (
    <>
      <DataTable
        label="Versions"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        expected={3}
        empty={<EmptyState icon={<History />} title="No versions" />}
      />
      <VersionDialog shown={shown} onClose={() => setShown(null)} />
      {restored && <RestoreDialog tool={tool} version={restored} onClose={() => setRestored(null)} />}
    </>
  );
}

/** The names of people; other ids as they are. */
function useCreators(): (id: string) => string {
  const people = useQuery({
    queryKey: ['organization', 'accounts', 'names'],
    queryFn: () => toolgate.organization.accounts.list({ limit: 100 }),
  }).data;
  return (id) => people?.data.find((person) => person.id === id)?.name ?? id;
}

type Definition = Record<string, unknown>;

function changedFields(version: CustomToolVersion, before: CustomToolVersion): string[] {
  const [now, then] = [version.definition as Definition, before.definition as Definition];
  const names = [...new Set([...Object.keys(now), ...Object.keys(then)])];
  return names.filter((name) => JSON.stringify(now[name]) !== JSON.stringify(then[name]));
}

function ChangedLine({ version, before }: Shown) {
  const fields = before ? changedFields(version, before) : [];
  const text = fields.length > 0 ? fields.join(', ') : version.version === 1 ? 'created' : before ? 'secret' : '';
  return <div className="truncate text-faint text-xs">{text}</div>;
}

function VersionDialog({ shown, onClose }: { shown: Shown | null; onClose: () => void }) {
  return (
    <Dialog
      open={shown !== null}
      onOpenChange={onClose}
      size="xl"
      title={`Version ${shown?.version.version}`}
      description={shown && <span className="break-all font-mono text-xs">{shown.version.definition_hash}</span>}
    >
      {shown && <VersionDifference {...shown} />}
    </Dialog>
  );
}

function VersionDifference({ version, before }: Shown) {
  const fields = before ? changedFields(version, before) : [];
  return (
    <div className="grid min-w-0 gap-5">
      {before &&
        fields.map((field) => (
          <section key={field} className="min-w-0">
            <h3 className="mb-1.5 font-medium">
              <code className="text-xs">{field}</code>
            </h3>
            <div className="grid grid-cols-1 gap-3 md:grid-cols-2">
              {[before, version].map((each) => (
                <div key={each.version} className="min-w-0">
                  <div className="mb-1 text-muted text-xs">Version {each.version}</div>
                  <JsonView
                    value={(each.definition as Definition)[field] ?? null}
                    label={`${field} of version ${each.version}`}
                  />
                </div>
              ))}
            </div>
          </section>
        ))}
      <section className="min-w-0">
        <h3 className="mb-1.5 font-medium">The whole definition</h3>
        <JsonView value={version.definition} label="Definition" />
      </section>
    </div>
  );
}

function RestoreDialog({
  tool,
  version,
  onClose,
}: {
  tool: CustomTool;
  version: CustomToolVersion;
  onClose: () => void;
}) {
  return (
    <ChangeDialog
      open
      onOpenChange={onClose}
      title={`Restore version ${version.version} of “${tool.name}”?`}
      action="Restore"
      change={(toolgate) => toolgate.customTools.update(tool.id, restorable(version.definition))}
      done={(saved) => `Version ${version.version} is restored as version ${saved.version}`}
      invalidates={['custom-tools']}
    >
      Its definition is saved as a new version. The secret doesn't change, and neither does whether the tool is enabled.
    </ChangeDialog>
  );
}
