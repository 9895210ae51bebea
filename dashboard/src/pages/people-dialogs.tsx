// Invites a person, and shows the link once.

import type { AccountRole } from '@toolgate/sdk';
import * as z from 'zod/mini';
import { queryClient, toolgate } from '../api.ts';
import { Button } from '../components/button.tsx';
import { cn } from '../components/class-names.ts';
import { CopyButton } from '../components/copy.tsx';
import { Dialog, DialogActions } from '../components/dialog.tsx';
import { controlClass, Field, SelectField, TextField } from '../components/field.tsx';
import { Form, FormFailure, useApiForm } from '../components/form.tsx';
import { useAccount } from '../session.ts';

export const roles: { value: AccountRole; label: string; text: string }[] = [
  { value: 'owner', label: 'Owner', text: 'Everything, with owners and the organization' },
  { value: 'admin', label: 'Admin', text: 'Everything but owners' },
  { value: 'developer', label: 'Developer', text: 'Tools, webhooks, integrations and settings' },
  { value: 'viewer', label: 'Viewer', text: 'Sees everything, changes nothing' },
];

const schema = z.object({
  email: z.string().check(z.trim(), z.regex(/^\S+@\S+$/, 'Enter an email address')),
  role: z.enum(['owner', 'admin', 'developer', 'viewer']),
});

type Props = { open: boolean; onOpenChange: (open: boolean) => void; onLink: (link: string) => void };

export function InviteDialog(props: Props) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title="Invite"
      description="You get a link to send them. toolgate sends no email."
    >
      <InviteForm {...props} />
    </Dialog>
  );
}

function InviteForm({ onOpenChange, onLink }: Props) {
  const isOwner = useAccount()?.role === 'owner';
  const form = useApiForm({
    schema,
    defaults: { email: '', role: 'developer' },
    submit: async (fields) => {
      const { link } = await toolgate.organization.invitations.create(fields);
      onOpenChange(false);
      onLink(link);
      await queryClient.invalidateQueries({ queryKey: ['organization', 'invitations'] });
    },
  });
  const role = roles.find(({ value }) => value === form.watch('role'));
  return (
    <Form form={form} label="Invite">
      <TextField name="email" label="Email" type="email" autoComplete="off" />
      <SelectField
        name="role"
        label="Role"
        hint={role?.text}
        options={roles.map(({ value, label }) => ({ value, label, disabled: value === 'owner' && !isOwner }))}
      />
      <FormFailure failure={form.failure} />
      <DialogActions submit="Invite" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
    </Form>
  );
}

export function InvitationLinkDialog({ link, onClose }: { link: string | null; onClose: () => void }) {
  return (
    <Dialog
      open={link !== null}
      onOpenChange={() => {}}
      persistent
      title="Send this link"
      description="It works once, for seven days, and is not shown again."
    >
      <div className="grid grid-cols-1 gap-5">
        <Field label="Invitation link">
          {(attributes) => (
            <div className="flex gap-2">
              <input
                {...attributes}
                readOnly
                value={link ?? ''}
                onFocus={(event) => event.target.select()}
                className={cn(controlClass, 'h-8 font-mono text-xs')}
              />
              <CopyButton text={link ?? ''} />
            </div>
          )}
        </Field>
        <Button look="solid" className="justify-self-end" onClick={onClose}>
          I have saved it
        </Button>
      </div>
    </Dialog>
  );
}
