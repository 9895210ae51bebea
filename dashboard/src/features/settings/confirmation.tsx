// Calls that wait for a person, in the settings.

import { useAccess } from '../../api/session.ts';
import { SwitchField, TextField } from '../../ui/forms/field.tsx';
import { useDecidingPermission } from '../projects/production.ts';
import { labels } from './changes.ts';
import { Part } from './part.tsx';

export function Confirmation() {
  const reason = useAccess().reason(useDecidingPermission('write'));
  return (
    <Part
      id="confirmation"
      title="Confirmation"
      text="A tool can wait until a person has said yes. Each tool says who that is; here is what holds for all of them."
    >
      <SwitchField
        name="confirm_destructive"
        label={labels.confirm_destructive}
        hint="The user confirms calls of every tool with the destructive hint that has no confirmation of its own."
      />
      <TextField
        name="approval_url"
        label={labels.approval_url}
        autoComplete="off"
        placeholder="https://app.example.com/approve?id={id}"
        disabled={reason !== undefined}
        hint={
          reason ??
          'Members decide there instead of on the page of toolgate. {id} is the id of the approval; your backend approves or declines it.'
        }
      />
      <TextField
        name="connect_url"
        label={labels.connect_url}
        autoComplete="off"
        placeholder="https://app.example.com/connect"
        disabled={reason !== undefined}
        hint={reason ?? 'Where members whom your backend identifies connect their account at a provider.'}
      />
    </Part>
  );
}
