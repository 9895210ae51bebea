// The organization itself: its name, what happened in it, and its end.

import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Account, AuditEntry } from '@toolgate/sdk';
import { useState } from 'react';
import * as z from 'zod/mini';
import { queryClient, toolgate } from '../api.ts';
import { Button } from '../components/button.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Dialog, DialogActions } from '../components/dialog.tsx';
import { PasswordField, TextField } from '../components/field.tsx';
import { Form, FormFailure, useApiForm } from '../components/form.tsx';
import { NoAccess } from '../components/no-access.tsx';
import { cardClass, Section } from '../components/page-header.tsx';
import { EmptyState } from '../components/states.tsx';
import { Time } from '../components/time.tsx';
import { accountQuery, useAccess, useAccount } from '../session.ts';
import { showToast } from '../toasts.ts';

const nameSchema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Enter a name'), z.maxLength(128, 'Use at most 128 characters')),
});

export function OrganizationSection() {
  const account = useAccount();
  const [isDeleting, setDeleting] = useState(false);
  const form = useApiForm({
    schema: nameSchema,
    defaults: { name: account?.organization.name ?? '' },
    submit: async ({ name }) => {
      const organization = await toolgate.organization.update({ name });
      queryClient.setQueryData(accountQuery.queryKey, (before) => before && { ...before, organization });
      form.reset({ name });
      showToast({ title: 'The organization is renamed' });
    },
  });
  return (
    <Section title="Organization">
      <Form form={form} label="Organization" className={`${cardClass} p-4`}>
        <TextField name="name" label="Organization name" autoComplete="organization" className="max-w-md" />
        <FormFailure failure={form.failure} />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" needs="admin" disabled={!form.formState.isDirty} busy={form.formState.isSubmitting}>
            Save
          </Button>
          <Button disabledReason={whyNotDelete(account)} onClick={() => setDeleting(true)}>
            Delete organization
          </Button>
        </div>
      </Form>
      <Dialog
        open={isDeleting}
        onOpenChange={setDeleting}
        title="Delete organization"
        description="All its people lose their accounts, and you too. It must have no projects. It cannot be undone."
      >
        <DeleteForm onCancel={() => setDeleting(false)} />
      </Dialog>
    </Section>
  );
}

function whyNotDelete(account: ReturnType<typeof useAccount>): string | undefined {
  if (account?.role !== 'owner') return 'Only an owner can delete the organization.';
  return account.is_operator ? 'The first organization of a server cannot be deleted.' : undefined;
}

function DeleteForm({ onCancel }: { onCancel: () => void }) {
  const navigate = useNavigate();
  const form = useApiForm({
    schema: z.object({ password: z.string().check(z.minLength(1, 'Enter your password')) }),
    defaults: { password: '' },
    submit: async (fields) => {
      await toolgate.organization.delete(fields);
      queryClient.clear();
      await navigate({ to: '/sign-in', search: { reason: 'signed-out' } });
    },
  });
  return (
    <Form form={form} label="Delete organization">
      <PasswordField name="password" label="Password" autoComplete="current-password" />
      <FormFailure failure={form.failure} />
      <DialogActions submit="Delete" danger busy={form.formState.isSubmitting} onCancel={onCancel} />
    </Form>
  );
}

/** Sign-ins, roles and invitations. What happened in a project is in the audit log of that project. */
export function ActivitySection({ people }: { people: Account[] }) {
  const isAllowed = useAccess().can('admin');
  const query = useQuery({
    queryKey: ['organization', 'audit-log'],
    queryFn: () => toolgate.organization.auditLog.list({ limit: 20 }),
    enabled: isAllowed,
  });
  return (
    <Section title="Activity">
      {isAllowed ? (
        <DataTable
          label="Activity"
          query={{ ...query, data: query.data && { data: query.data.data } }}
          columns={activityColumns(people)}
          rowKey={({ id }) => id}
          expected={4}
          empty={<EmptyState title="Nothing yet">Sign-ins, roles and invitations appear here.</EmptyState>}
        />
      ) : (
        <NoAccess what="the activity" needs="admin" />
      )}
    </Section>
  );
}

function activityColumns(people: Account[]): Column<AuditEntry>[] {
  const nameOf = (id: string | null) => people.find((person) => person.id === id)?.name ?? id;
  return [
    { header: 'Action', cell: ({ action }) => <code className="text-xs">{action}</code> },
    {
      header: 'Person',
      width: 'w-32 sm:w-52',
      cell: ({ actor }) => <span dir="auto">{nameOf(actor.id) ?? 'The server'}</span>,
    },
    {
      header: 'Target',
      from: 'md',
      width: 'w-52',
      cell: ({ target_id }) => <span className="text-muted">{nameOf(target_id)}</span>,
    },
    { header: 'Address', from: 'lg', width: 'w-36', cell: ({ ip }) => ip ?? '' },
    {
      header: 'When',
      from: 'sm',
      width: 'w-36',
      align: 'right',
      cell: ({ created_at }) => <Time value={created_at} />,
    },
  ];
}
