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
      text="A tool call can wait for a person's approval. Each tool has its own setting for who that is; these settings apply to all tools."
    >
      <SwitchField
        name="confirm_destructive"
        label={labels.confirm_destructive}
        hint="The user confirms calls of every destructive tool that has no confirmation setting of its own."
      />
      <TextField
        name="approval_url"
        label={labels.approval_url}
        autoComplete="off"
        placeholder="https://app.example.com/approve?id={id}"
        disabled={reason !== undefined}
        hint={
          reason ??
          "Members approve or decline calls there instead of on toolgate's page. {id} is the id of the approval; your backend sends the decision."
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
