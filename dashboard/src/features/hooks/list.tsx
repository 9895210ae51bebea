// The hooks of a project, in the order in which they are asked.

import { Link } from '@tanstack/react-router';
import { MAX_HOOKS } from '@toolgate/contract/hooks/rules.ts';
import type { Hook, NewHook } from '@toolgate/sdk';
import { Plus, ShieldQuestionMark } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useProjectId } from '../../api/client.ts';
import { useAccess } from '../../api/session.ts';
import { ApiExample } from '../../ui/api-example.tsx';
import { StatusBadge } from '../../ui/badge.tsx';
import { Button, linkClass } from '../../ui/button.tsx';
import { useCreateShortcut } from '../../ui/create-shortcut.ts';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { Name } from '../../ui/name.tsx';
import { NoAccess } from '../../ui/no-access.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useUrlDialog } from '../../ui/search.ts';
import { EmptyState } from '../../ui/states.tsx';
import { matchText } from '../tool-access/match.ts';
import { useToolNames } from '../tool-access/tools.ts';
import { HookActions } from './actions.tsx';
import { HookDialog, HookSecretDialog } from './form.tsx';
import { hookText, useHooksQuery } from './hooks.ts';
import { createSnippet } from './snippets.ts';

export function HooksPage() {
  const isAllowed = useAccess().can('admin');
  const [isCreating, setCreating] = useUrlDialog('create');
  const [created, setCreated] = useState<NewHook | null>(null);
  const query = useHooksQuery(isAllowed);
  const nameOf = useToolNames();
  const isFull = (query.data?.data.length ?? 0) >= MAX_HOOKS ? `A project has at most ${MAX_HOOKS} hooks.` : undefined;
  useCreateShortcut(() => isAllowed && !isFull && setCreating(true));
  const createButton = (text: string) => (
    <Button look="solid" needs="admin" disabledReason={isFull} onClick={() => setCreating(true)}>
      <Plus /> {text}
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Hooks"
        above={<ToSettings />}
        description="Policies of your own that are asked about calls of tools, one after the other in this order. They allow, deny or change a call, or let a person confirm it."
        actions={createButton('Create hook')}
      />
      {isAllowed ? (
        <DataTable
          label="Hooks"
          query={query}
          columns={columnsOf(nameOf, setCreated)}
          rowKey={({ id }) => id}
          expected={2}
          empty={<NoHooks create={createButton('Create the first hook')} />}
        />
      ) : (
        <NoAccess what="the hooks" needs="admin" />
      )}
      <HookDialog hook={null} open={isCreating && isAllowed} onOpenChange={setCreating} onCreated={setCreated} />
      <HookSecretDialog created={created} onSaved={() => setCreated(null)} />
    </>
  );
}

function ToSettings() {
  return (
    <Link to="/projects/$projectId/settings" params={{ projectId: useProjectId() }} className={linkClass}>
      Settings
    </Link>
  );
}

function NoHooks({ create }: { create: ReactNode }) {
  const projectId = useProjectId();
  return (
    <>
      <EmptyState icon={<ShieldQuestionMark />} title="No hooks yet" action={create}>
        Let OPA, OpenFGA, Cedar or your own code decide about each call: who may refund how much, and which results may
        leave your company.
      </EmptyState>
      <ApiExample code={createSnippet(window.location.origin, projectId)} tag="hooks" />
    </>
  );
}

function columnsOf(nameOf: (id: string) => string, onSecret: (hook: NewHook) => void): Column<Hook>[] {
  return [
    {
      header: 'URL',
      cell: (hook) => (
        <>
          <div className="truncate font-medium" title={hook.url}>
            {hook.url}
          </div>
          <div className="truncate text-faint text-xs" title={hookText(hook)}>
            {hookText(hook)}
          </div>
        </>
      ),
    },
    {
      header: 'Applies to',
      from: 'md',
      width: 'w-[26%]',
      cell: ({ match }) => (
        <span title={matchText(match, nameOf)}>
          <Name text={matchText(match, nameOf)} />
        </span>
      ),
    },
    {
      header: 'Status',
      from: 'sm',
      width: 'w-28',
      cell: ({ is_enabled }) => <StatusBadge status={is_enabled ? 'enabled' : 'disabled'} />,
    },
    {
      header: 'Actions',
      hideHeader: true,
      width: 'w-14',
      align: 'right',
      cell: (hook) => <HookActions hook={hook} onSecret={onSecret} />,
    },
  ];
}
