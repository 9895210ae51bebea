// A list below the settings of a project: only administrators see it, it is short, and what is created has a secret that is shown once.

import { Link } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import { Fragment, type ReactNode, useState } from 'react';
import { useProjectId } from '../../api/client.ts';
import { useAccess, usePublicUrl } from '../../api/session.ts';
import { ApiExample } from '../api-example.tsx';
import { linkClass } from '../button.tsx';
import { fullReason, useCreateDialog } from '../create-button.tsx';
import { useRowDialogs } from '../dialogs/row-dialogs.ts';
import { ActionsMenu, DeleteItem, EditItem, EnableItem, MenuItem, RotateItem } from '../menu.tsx';
import { NoAccess } from '../no-access.tsx';
import { PageHeader } from '../page-header.tsx';
import { EmptyState } from '../states.tsx';
import { type Column, DataTable, type ListQuery } from './data-table.tsx';

type DialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

type Props<Row, Created> = {
  /** "Log streams" */
  title: string;
  /** "log stream" */
  one: string;
  most: number;
  description: string;
  query: ListQuery<Row>;
  columns: (onSecret: (created: Created) => void) => Column<Row>[];
  createDialog: (props: DialogProps & { onCreated: (created: Created) => void }) => ReactNode;
  secretDialog: (props: { created: Created | null; onSaved: () => void }) => ReactNode;
  icon: ReactNode;
  /** A request that creates one. */
  example: (origin: string, projectId: string) => string;
  /** The section of the API reference. */
  tag: string;
  /** What they are for, shown while the list is empty. */
  children: ReactNode;
};

export function SettingsList<Row extends { id: string }, Created>(props: Props<Row, Created>) {
  const { title, one, query, icon, children } = props;
  const many = title.toLowerCase();
  const projectId = useProjectId();
  const origin = usePublicUrl();
  const [created, setCreated] = useState<Created | null>(null);
  const create = useCreateDialog('admin', fullReason(query.data?.data, props.most, many));
  return (
    <>
      <PageHeader
        title={title}
        above={
          <Link to="/projects/$projectId/settings" params={{ projectId }} className={linkClass}>
            Settings
          </Link>
        }
        description={props.description}
        actions={create.button(`Create ${one}`)}
      />
      {useAccess().can('admin') ? (
        <DataTable
          label={title}
          query={query}
          columns={props.columns(setCreated)}
          rowKey={({ id }) => id}
          expected={2}
          empty={
            <>
              <EmptyState icon={icon} title={`No ${many} yet`} action={create.button(`Create the first ${one}`)}>
                {children}
              </EmptyState>
              <ApiExample code={props.example(origin, projectId)} tag={props.tag} />
            </>
          }
        />
      ) : (
        <NoAccess what={`the ${many}`} needs="admin" />
      )}
      {props.createDialog({ ...create.dialog, onCreated: setCreated })}
      {props.secretDialog({ created, onSaved: () => setCreated(null) })}
    </>
  );
}

type RowDialog = 'test' | 'edit' | 'rotate' | 'delete';

type RowProps = {
  isEnabled: boolean;
  onEnable: (isEnabled: boolean) => void;
  cannotRotate?: string | undefined;
  dialogs: Record<RowDialog, (props: DialogProps) => ReactNode>;
};

/** The "Actions" of a row of such a list. */
export function SettingsRowActions({ isEnabled, onEnable, cannotRotate, dialogs }: RowProps) {
  const opened = useRowDialogs<RowDialog>();
  return (
    <>
      <ActionsMenu>
        <MenuItem icon={<FlaskConical />} needs="admin" onClick={opened.opens('test')}>
          Test
        </MenuItem>
        <EditItem needs="admin" onClick={opened.opens('edit')} />
        <RotateItem needs="admin" disabledReason={cannotRotate} onClick={opened.opens('rotate')} />
        <EnableItem isEnabled={isEnabled} needs="admin" onChange={onEnable} />
        <DeleteItem onClick={opened.opens('delete')} />
      </ActionsMenu>
      {(Object.keys(dialogs) as RowDialog[]).map((name) => (
        <Fragment key={name}>{dialogs[name](opened.of(name))}</Fragment>
      ))}
    </>
  );
}
