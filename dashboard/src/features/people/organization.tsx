// The organization itself: its name, what happened in it, and its end.

import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Account, AuditEntry } from '@toolgate/sdk';
import { useState } from 'react';
import * as z from 'zod/mini';
import { queryClient, toolgate } from '../../api/client.ts';
import { accountQuery, useAccess, useAccount } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { PasswordField, TextField } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { resourceName } from '../../ui/forms/schemas.ts';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { Name } from '../../ui/name.tsx';
import { NoAccess } from '../../ui/no-access.tsx';
import { cardClass, Section } from '../../ui/section.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.ts';

const nameSchema = z.object({
  name: resourceName,
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
      showToast({ title: 'Organization renamed' });
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
        description="Everyone in it, including you, loses their account. It must have no projects. This cannot be undone."
      >
        <DeleteForm onCancel={() => setDeleting(false)} />
      </Dialog>
    </Section>
  );
}

function whyNotDelete(account: ReturnType<typeof useAccount>): string | undefined {
  if (account?.role !== 'owner') return 'Only an owner can delete the organization.';
  return account.is_operator ? "The operator's organization, which setup created, can't be deleted." : undefined;
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
      cell: ({ actor }) => <Name text={nameOf(actor.id) ?? 'The server'} />,
    },
    {
      header: 'Target',
      from: 'md',
      width: 'w-52',
      cell: ({ target_id }) => <Name text={nameOf(target_id) ?? ''} className="text-muted" />,
    },
    { header: 'IP address', from: 'lg', width: 'w-36', cell: ({ ip }) => ip ?? '' },
    {
      header: 'When',
      from: 'sm',
      width: 'w-36',
      align: 'right',
      cell: ({ created_at }) => <Time value={created_at} />,
    },
  ];
}
