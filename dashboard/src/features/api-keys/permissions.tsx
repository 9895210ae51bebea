// The four permissions: what each allows, as cards of a form and as badges.

import type { Permission } from '@toolgate/contract/permissions.ts';
import { useFormContext } from 'react-hook-form';
import { Badge } from '../../ui/badge.tsx';
import { CheckboxCard, FieldError, useFieldError } from '../../ui/forms/field.tsx';

const texts: Record<Permission, string> = {
  read: 'View the project and its tools, calls and analytics',
  write: 'Create and change tools, settings and assertion keys',
  webhook: 'Manage webhooks, integrations and OAuth providers',
  admin: 'Everything, including keys, members, deletions and the audit log',
};

/** A group of checkboxes for the field `name`, an array. */
export function PermissionCards({ name, legend = 'Permissions' }: { name: string; legend?: string }) {
  const error = useFieldError(name);
  const hasAdmin = useFormContext<Record<string, string[] | undefined>>().watch(name)?.includes('admin');
  return (
    <fieldset aria-describedby={error ? `${name}-error` : undefined}>
      <legend className="mb-1.5 font-medium">{legend}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {Object.entries(texts).map(([permission, text]) => (
          <CheckboxCard key={permission} name={name} value={permission} label={permission} description={text} />
        ))}
      </div>
      {hasAdmin && <p className="mt-1.5 text-muted text-xs">admin includes the other three.</p>}
      <FieldError id={name} error={error} className="mt-1.5" />
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
