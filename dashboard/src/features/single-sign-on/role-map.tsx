// Which role a group of the identity provider gives.

import { MAX_ROLE_MAP_ENTRIES } from '@toolgate/contract/organizations/sso-rules.ts';
import { roles } from '@toolgate/contract/roles.ts';
import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { Button, IconButton } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { controlClass, FieldError, Options, useFieldError } from '../../ui/forms/field.tsx';
import { optionsOf } from '../../ui/forms/options.ts';
import type { SsoValues } from './values.ts';

export function RoleMap() {
  const { control } = useFormContext<SsoValues>();
  const { fields, append, remove } = useFieldArray({ control, name: 'role_map' });
  const error = useFieldError('role_map');
  const id = useId();
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined} className="grid min-w-0 grid-cols-1 gap-2">
      <legend className="mb-1.5 font-medium">Roles of groups</legend>
      <p className="-mt-2 text-muted text-xs">
        Applied at each sign-in. A person in several groups gets the highest role: owner, admin, developer, viewer.
      </p>
      {fields.map((field, index) => (
        <Row key={field.id} index={index} onRemove={() => remove(index)} />
      ))}
      <FieldError id={id} error={error} />
      <Button
        size="sm"
        className="w-fit"
        disabled={fields.length >= MAX_ROLE_MAP_ENTRIES}
        onClick={() => append({ group: '', role: 'developer' })}
      >
        <Plus /> Add group
      </Button>
    </fieldset>
  );
}

function Row({ index, onRemove }: { index: number; onRemove: () => void }) {
  const { register } = useFormContext<SsoValues>();
  const error = useFieldError(`role_map.${index}.group`);
  const id = useId();
  const number = index + 1;
  return (
    <div className="grid grid-cols-1 gap-1">
      <div className="grid grid-cols-[minmax(0,1fr)_9rem_auto] items-center gap-2">
        <input
          type="text"
          aria-label={`Group ${number}`}
          placeholder="engineering"
          autoComplete="off"
          spellCheck={false}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          className={cn(controlClass, 'h-8 font-mono text-xs')}
          {...register(`role_map.${index}.group`)}
        />
        <select
          aria-label={`Role of group ${number}`}
          className={cn(controlClass, 'select-arrow h-8')}
          {...register(`role_map.${index}.role`)}
        >
          <Options options={optionsOf(roles)} />
        </select>
        <IconButton label={`Remove group ${number}`} icon={<X />} onClick={onRemove} />
      </div>
      <FieldError id={id} error={error} />
    </div>
  );
}
