// Whether calls of a tool wait for a person, in the form of the tool.

import { confirmers, confirmFallbacks, MAX_REMEMBER_SECONDS } from '@toolgate/contract/approvals/rules.ts';
import { useFormContext } from 'react-hook-form';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { optionsOf } from '../../ui/forms/options.ts';
import type { ToolValues } from './values.ts';

const byOptions = [
  { value: '', label: 'Nobody' },
  ...optionsOf(confirmers, { user: 'The user', approver: 'An approver' }),
];

const hints: Record<ToolValues['confirm']['by'], string> = {
  '': 'Calls run immediately, unless the project settings require confirmation for destructive tools.',
  user: 'The member confirms in their client or on a page, or your backend does it for them. For calls without a member, an approver decides.',
  approver: "An owner, an admin or another approver decides under Approvals. Callers can't approve their own calls.",
};

const fallbacks = optionsOf(confirmFallbacks, {
  link: 'A link that a person opens',
  refuse: 'An error',
});

export function ConfirmationFields() {
  const by = useFormContext<ToolValues>().watch('confirm.by');
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <SelectField name="confirm.by" label="Who confirms a call" options={byOptions} hint={hints[by]} />
      {by !== '' && (
        <SelectField
          name="confirm.fallback"
          label="If the client can't ask its user"
          options={fallbacks}
          hint="Clients declare whether they can ask their user"
        />
      )}
      {by === 'user' && (
        <TextField
          name="confirm.remember_seconds"
          label="Reuse an approval for (seconds)"
          type="number"
          min={0}
          max={MAX_REMEMBER_SECONDS}
          hint="0: every call needs its own approval"
        />
      )}
    </div>
  );
}
