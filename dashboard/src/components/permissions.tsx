// The four permissions: what each allows, as cards of a form and as badges.

import { useFormContext } from 'react-hook-form';
import type { Permission } from '../session.ts';
import { Badge } from './badge.tsx';
import { CheckboxCard, useFieldError } from './field.tsx';

const permissions: { name: Permission; text: string }[] = [
  { name: 'read', text: 'View the project, its tools, calls and analytics' },
  { name: 'write', text: 'Create and change tools, settings and assertion keys' },
  { name: 'webhook', text: 'Manage webhooks, integrations and OAuth providers' },
  { name: 'admin', text: 'Everything, with keys, members, deletions and the audit log' },
];

/** A group of checkboxes for the field `name`, an array. */
export function PermissionCards({ name, legend = 'Permissions' }: { name: string; legend?: string }) {
  const error = useFieldError(name);
  const hasAdmin = (useFormContext().watch(name) as string[] | undefined)?.includes('admin');
  return (
    <fieldset aria-describedby={error ? `${name}-error` : undefined}>
      <legend className="mb-1.5 font-medium">{legend}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {permissions.map((permission) => (
          <CheckboxCard
            key={permission.name}
            name={name}
            value={permission.name}
            label={permission.name}
            description={permission.text}
          />
        ))}
      </div>
      {hasAdmin && <p className="mt-1.5 text-muted text-xs">admin includes the other three.</p>}
      {error && (
        <p id={`${name}-error`} className="mt-1.5 text-danger text-xs">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** admin includes the others, so it stands alone. */
export function PermissionBadges({ permissions: given }: { permissions: readonly string[] }) {
  const shown = given.includes('admin') ? ['admin'] : given;
  return (
    <span className="flex gap-1">
      {shown.map((permission) => (
        <Badge key={permission} tone={permission === 'admin' ? 'accent' : 'neutral'}>
          {permission}
        </Badge>
      ))}
    </span>
  );
}
