// Invites a person, and shows the link once.

import { type Role, roles } from '@toolgate/contract/roles.ts';
import * as z from 'zod/mini';
import { queryClient, toolgate } from '../../api/client.ts';
import { useAccount } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy.tsx';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { controlClass, Field, SelectField, TextField } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { email } from '../../ui/forms/schemas.ts';
import { withReauthentication } from '../account/reauthentication.ts';

const roleTexts: Record<Role, { label: string; text: string }> = {
  owner: { label: 'Owner', text: 'Everything, including owners and the organization' },
  admin: { label: 'Admin', text: 'Everything except owners' },
  developer: { label: 'Developer', text: 'Tools, webhooks, integrations and settings' },
  viewer: { label: 'Viewer', text: 'Can see everything but change nothing' },
};

const schema = z.object({
  email,
  role: z.enum(roles),
});

type Props = { open: boolean; onOpenChange: (open: boolean) => void; onLink: (link: string) => void };

export function InviteDialog(props: Props) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title="Invite"
      description="You get a link to send them yourself. toolgate sends no email."
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
      const { link } = await withReauthentication(() => toolgate.organization.invitations.create(fields));
      onOpenChange(false);
      onLink(link);
      await queryClient.invalidateQueries({ queryKey: ['organization', 'invitations'] });
    },
  });
  return (
    <Form form={form} label="Invite">
      <TextField name="email" label="Email" type="email" autoComplete="off" />
      <SelectField
        name="role"
        label="Role"
        hint={roleTexts[form.watch('role')].text}
        options={roles.map((value) => ({
          value,
          label: roleTexts[value].label,
          disabled: value === 'owner' && !isOwner,
        }))}
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
