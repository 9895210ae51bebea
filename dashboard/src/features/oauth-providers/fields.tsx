// The scopes of an OAuth provider, and the origins that get its members' tokens.

import { defaultScopes } from '@toolgate/contract/oauth-providers/rules.ts';
import { useFormContext } from 'react-hook-form';
import { useAccess } from '../../api/session.ts';
import { cn } from '../../ui/class-names.ts';
import { TextareaField, TextField } from '../../ui/forms/field.tsx';
import { useDecidingPermission, useIsProduction } from '../projects/production.ts';
import { type Kind, kinds, words } from './kinds.ts';

export function OriginsField() {
  const isProduction = useIsProduction();
  const reason = useAccess().reason(useDecidingPermission('webhook'));
  return (
    <TextareaField
      name="allowed_origins"
      label="Allowed origins"
      mono
      placeholder="https://api.example.com"
      readOnly={reason !== undefined}
      hint={
        reason ??
        `The only origins that get its members' tokens, one per line. If the list is empty, ${isProduction ? 'no origin gets them' : 'every origin can get them, but none in production'}.`
      }
    />
  );
}

/** Text with the scopes, and chips that add and remove the usual ones. */
export function ScopesField({ kind }: { kind: Kind }) {
  const { watch, setValue } = useFormContext<{ scopes: string }>();
  const { scopes } = kinds[kind];
  const text = watch('scopes');
  const chosen = text ? words(text) : defaultScopes[kind];
  const toggle = (scope: string) => {
    const next = chosen.includes(scope) ? chosen.filter((word) => word !== scope) : [...chosen, scope];
    setValue('scopes', next.join(' '), { shouldDirty: true });
  };
  return (
    <div className="grid gap-2">
      <TextField
        name="scopes"
        label="Scopes"
        autoComplete="off"
        spellCheck={false}
        placeholder={defaultScopes[kind].join(' ')}
        hint="Separated by spaces. People are asked for all of them when they sign in."
      />
      <div className="flex flex-wrap gap-1.5">
        {scopes.map(({ value, meaning }) => (
          <button
            key={value}
            type="button"
            aria-pressed={chosen.includes(value)}
            onClick={() => toggle(value)}
            className={cn(
              'max-w-full rounded-md border px-2 py-1 text-left text-xs transition-colors',
              chosen.includes(value) ? 'border-accent bg-accent-soft' : 'border-line hover:border-line-strong',
            )}
          >
            <span className="block font-medium">{meaning}</span>
            <code className="block truncate text-muted">{value}</code>
          </button>
        ))}
      </div>
    </div>
  );
}
