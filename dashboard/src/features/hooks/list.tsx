// The hooks of a project, in the order in which they are asked.

import { MAX_HOOKS } from '@toolgate/contract/hooks/rules.ts';
import type { Hook, NewHook } from '@toolgate/sdk';
import { ShieldQuestionMark } from 'lucide-react';
import { useAccess } from '../../api/session.ts';
import { StatusBadge } from '../../ui/badge.tsx';
import { actionsColumn, type Column } from '../../ui/lists/data-table.tsx';
import { SettingsList } from '../../ui/lists/settings-list.tsx';
import { Name } from '../../ui/name.tsx';
import { matchText } from '../tool-access/match.ts';
import { useToolNames } from '../tool-access/tools.ts';
import { HookActions } from './actions.tsx';
import { HookDialog, HookSecretDialog } from './form.tsx';
import { hookText, useHooksQuery } from './hooks.ts';
import { createSnippet } from './snippets.ts';

export function HooksPage() {
  const nameOf = useToolNames();
  return (
    <SettingsList<Hook, NewHook>
      title="Hooks"
      one="hook"
      most={MAX_HOOKS}
      description="Your own policies. toolgate asks them about tool calls, one after the other in this order. They allow, deny or change a call, or require a person's approval."
      query={useHooksQuery(useAccess().can('admin'))}
      columns={(onSecret) => columnsOf(nameOf, onSecret)}
      createDialog={(props) => <HookDialog hook={null} {...props} />}
      secretDialog={(props) => <HookSecretDialog {...props} />}
      icon={<ShieldQuestionMark />}
      example={createSnippet}
      tag="hooks"
    >
      Let OPA, OpenFGA, Cedar or your own code decide about each call: who may refund how much, and which results may
      leave your company.
    </SettingsList>
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
    actionsColumn((hook) => <HookActions hook={hook} onSecret={onSecret} />),
  ];
}
