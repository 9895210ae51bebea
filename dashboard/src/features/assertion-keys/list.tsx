// The public keys that verify member assertions, and everything that is needed to sign one.

import { assertionKeyStatuses } from '@toolgate/contract/assertion-keys/rules.ts';
import type { AssertionKey } from '@toolgate/sdk';
import { Bug, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useProjectApi, useProjectId, useProjectQuery } from '../../api/client.ts';
import { useAccess, usePublicUrl } from '../../api/session.ts';
import { ApiExample } from '../../ui/api-example.tsx';
import { Badge, StatusBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock, Snippets } from '../../ui/code-block.tsx';
import { CopyIcon } from '../../ui/copy.tsx';
import { useCreating } from '../../ui/create-button.tsx';
import { optionsOf } from '../../ui/forms/options.ts';
import { createdColumn } from '../../ui/lists/created-column.tsx';
import { actionsColumn, type Column, DataTable, type ListQuery } from '../../ui/lists/data-table.tsx';
import type { CsvColumn } from '../../ui/lists/download.ts';
import { ExportMenu } from '../../ui/lists/export-menu.tsx';
import { FilterBar, SearchFilter, SelectFilter } from '../../ui/lists/filter-bar.tsx';
import { matching, useListPart } from '../../ui/lists/whole-list.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { type Search, useFilters, useUrlDialog } from '../../ui/search.ts';
import { Section, stackClass } from '../../ui/section.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { createSnippets } from '../onboarding/snippets.ts';
import { AssertionKeyActions } from './actions.tsx';
import { AssertionDebugger } from './debugger.tsx';
import { AddAssertionKeyDialog } from './form.tsx';
import { opensslSnippets, signSnippets } from './snippets.ts';

const statuses = optionsOf(assertionKeyStatuses);

export function AssertionKeysPage() {
  const [isAdding] = useUrlDialog('create');
  const [isDebugging, setDebugging] = useUrlDialog('debug');
  const { values, set } = useFilters();
  const isAllowed = useAccess().can('write');
  const api = useProjectApi();
  const part = useListPart('search', 'status');
  const query = useProjectQuery(['assertion-keys', part.key], (toolgate) =>
    part.read((page) => toolgate.assertionKeys.list(page)),
  );
  // `kid` is in the URL only while a key id is used again.
  const setAdding = (open: boolean) => set({ dialog: open ? 'create' : undefined, kid: undefined });
  const add = useCreating({ needs: 'write', isOpen: isAdding, setOpen: setAdding });
  return (
    <>
      <PageHeader
        title="Assertion keys"
        description="Public keys that verify your members. Your backend signs with the private key."
        actions={
          <>
            <ExportMenu
              name="assertion-keys"
              columns={keyCsv}
              rows={() => matching(api.assertionKeys.list({ limit: 100 }), (key) => matches(key, values))}
            />
            <Button needs="write" onClick={() => setDebugging(true)}>
              <Bug /> Debug an assertion
            </Button>
            {add.button('Add assertion key')}
          </>
        }
      />
      <div className={stackClass}>
        <KeyTable query={query} addButton={add.button('Add the first assertion key')} />
        <SigningHelp keys={query.data?.data ?? []} />
      </div>
      <AddAssertionKeyDialog {...add.dialog} kid={values.kid ?? ''} />
      <AssertionDebugger open={isDebugging && isAllowed} onOpenChange={setDebugging} />
    </>
  );
}

type TableProps = { query: ListQuery<AssertionKey>; addButton: ReactNode };

function KeyTable({ query, addButton }: TableProps) {
  const { values } = useFilters();
  return (
    <div>
      <FilterBar names={['search', 'status']}>
        <SearchFilter name="search" label="Search assertion keys" />
        <SelectFilter name="status" label="Status" options={statuses} />
      </FilterBar>
      <DataTable
        label="Assertion keys"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        expected={2}
        filter={(key) => matches(key, values)}
        empty={
          query.data?.data.length ? (
            <EmptyState title="No assertion key matches">Change the search or the status.</EmptyState>
          ) : (
            <NoKeys addButton={addButton} />
          )
        }
      />
    </div>
  );
}

function NoKeys({ addButton }: { addButton: ReactNode }) {
  const projectId = useProjectId();
  const origin = usePublicUrl();
  return (
    <>
      <EmptyState icon={<ShieldCheck />} title="No assertion keys yet" action={addButton}>
        Create a key pair with the command below, and add the public key. In production, only signed assertions create
        sessions.
      </EmptyState>
      <ApiExample code={createSnippets(origin, projectId).assertionKey} tag="assertion-keys" />
    </>
  );
}

/** The API has no filters for assertion keys; a project has few. */
function matches({ kid, fingerprint, id, status }: AssertionKey, filters: Search): boolean {
  const text = `${kid} ${fingerprint} ${id}`.toLowerCase();
  return text.includes((filters.search ?? '').toLowerCase()) && (!filters.status || status === filters.status);
}

const columns: Column<AssertionKey>[] = [
  {
    header: 'Key ID',
    sort: ['kid', ({ kid }) => kid],
    cell: ({ kid, fingerprint }) => (
      <>
        <div className="flex items-center gap-0.5">
          <span className="truncate font-medium">{kid}</span>
          <CopyIcon text={kid} label="Copy kid" />
        </div>
        <div className="truncate text-faint text-xs" title={fingerprint}>
          {fingerprint}
        </div>
      </>
    ),
  },
  { header: 'Algorithm', from: 'sm', width: 'w-28', cell: ({ algorithm }) => <Badge>{algorithm}</Badge> },
  { header: 'Status', width: 'w-32', cell: ({ status }) => <StatusBadge status={status} /> },
  createdColumn('md'),
  {
    header: 'Deactivated',
    from: 'lg',
    width: 'w-32',
    sort: ['deactivated_at', ({ deactivated_at }) => deactivated_at],
    cell: ({ deactivated_at }) => <Time value={deactivated_at} empty="–" />,
  },
  actionsColumn((key) => <AssertionKeyActions assertionKey={key} />),
];

const keyCsv: CsvColumn<AssertionKey>[] = [
  ['id', ({ id }) => id],
  ['kid', ({ kid }) => kid],
  ['algorithm', ({ algorithm }) => algorithm],
  ['fingerprint', ({ fingerprint }) => fingerprint],
  ['status', ({ status }) => status],
  ['created_at', ({ created_at }) => created_at],
  ['deactivated_at', ({ deactivated_at }) => deactivated_at],
];

/** Filled in with the newest active key, if there is one. */
function SigningHelp({ keys }: { keys: AssertionKey[] }) {
  const projectId = useProjectId();
  const active = keys.find(({ status }) => status === 'active');
  const target = { projectId, kid: active?.kid ?? 'backend-2026', algorithm: active?.algorithm ?? 'ES256' };
  return (
    <>
      <div className="grid grid-cols-1 gap-8 lg:grid-cols-2">
        <Section title="Expected audience">
          <CodeBlock code={`service:project:${projectId}`} label="aud" />
          <p className="mt-2 text-muted text-xs">
            The claim <code>aud</code> of every assertion for this project. <code>sub</code> is your own id for the
            person, <code>exp</code> is at most 60 seconds ahead, and with a <code>jti</code> it can be used once.
          </p>
        </Section>
        <Section title="Make a key pair">
          <Snippets label="Make a key pair" snippets={opensslSnippets} />
        </Section>
      </div>
      <Section title="Sign an assertion">
        <Snippets label="Sign an assertion" snippets={signSnippets(target)} />
      </Section>
    </>
  );
}
