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
  '': 'Calls are made at once, unless the settings ask for every destructive tool.',
  user: 'The member for whom the call is made is asked by their client or on a page. Your backend may answer for them. An approver decides about calls without a member.',
  approver: 'An owner, an admin, or somebody who may approve decides under Approvals; never who asked.',
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
          label="A client that cannot ask gets"
          options={fallbacks}
          hint="Clients say whether they can ask their user"
        />
      )}
      {by === 'user' && (
        <TextField
          name="confirm.remember_seconds"
          label="Remember a yes for (seconds)"
          type="number"
          min={0}
          max={MAX_REMEMBER_SECONDS}
          hint="0: every call is confirmed"
        />
      )}
    </div>
  );
}
