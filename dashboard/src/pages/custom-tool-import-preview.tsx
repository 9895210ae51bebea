// What an import would do: its operations to choose from, with what is new and what changed, and the secrets that it needs.

import type { ToolImport } from '@toolgate/sdk';
import { type ReactNode, useId, useState } from 'react';
import { Badge, type Tone } from '../components/badge.tsx';
import { cn } from '../components/class-names.ts';
import { Checkbox, controlClass, TextField } from '../components/field.tsx';
import { cardClass } from '../components/page-header.tsx';
import { MethodBadge } from './custom-tool-facts.tsx';

type Imported = ToolImport['created'][number] & { changed_fields?: string[] };
type Kind = 'new' | 'changed' | 'unchanged';
type Row = Imported & { kind: Kind };

const tones: Record<Kind, Tone> = { new: 'success', changed: 'warning', unchanged: 'neutral' };
const MOST_SHOWN = 200;

type Props = { result: ToolImport; leftOut: ReadonlySet<string>; onChange: (leftOut: ReadonlySet<string>) => void };

export function ImportPreview({ result, leftOut, onChange }: Props) {
  const [search, setSearch] = useState('');
  const id = useId();
  const rows: Row[] = [
    ...result.created.map((tool) => ({ ...tool, kind: 'new' as const })),
    ...result.updated.map((tool) => ({ ...tool, kind: 'changed' as const })),
    ...result.unchanged.map((tool) => ({ ...tool, kind: 'unchanged' as const })),
  ];
  const shown = rows.filter(({ name, endpoint_path }) =>
    `${name} ${endpoint_path}`.toLowerCase().includes(search.toLowerCase()),
  );
  const chosen = rows.filter(({ name }) => !leftOut.has(name)).length;
  const set = (names: string[], isChosen: boolean) => {
    const next = new Set(leftOut);
    for (const name of names) isChosen ? next.delete(name) : next.add(name);
    onChange(next);
  };
  const isAll = shown.length > 0 && shown.every(({ name }) => !leftOut.has(name));
  return (
    <section aria-label="Operations" className={cn(cardClass, 'min-w-0 overflow-hidden')}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b px-3 py-2">
        <label htmlFor={id} className="flex items-center gap-2 font-medium">
          <Checkbox
            id={id}
            checked={isAll}
            onChange={(event) =>
              set(
                shown.map(({ name }) => name),
                event.target.checked,
              )
            }
          />
          {chosen} of {rows.length} operations
        </label>
        <Summary result={result} />
        <input
          type="search"
          aria-label="Search operations"
          placeholder="Search operations"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          className={cn(controlClass, 'ml-auto h-7 w-full text-xs sm:w-48')}
        />
      </div>
      <ul aria-label="Operations of the document" className="max-h-64 divide-y divide-line overflow-y-auto">
        {shown.slice(0, MOST_SHOWN).map((row) => (
          <OperationRow
            key={row.name}
            row={row}
            isChosen={!leftOut.has(row.name)}
            onChange={(isOn) => set([row.name], isOn)}
          />
        ))}
        {shown.length > MOST_SHOWN && (
          <Note>{shown.length - MOST_SHOWN} more: search to see them. They are imported if they are chosen.</Note>
        )}
        {result.skipped.map(({ operation, reason }) => (
          <Note key={operation}>
            <code className="break-all text-ink">{operation}</code> cannot be a tool: {reason}
          </Note>
        ))}
      </ul>
      {result.not_in_document.length > 0 && (
        <p className="break-words border-line border-t px-3 py-2 text-muted text-xs">
          No longer in the document, and left as they are: {result.not_in_document.map(({ name }) => name).join(', ')}
        </p>
      )}
    </section>
  );
}

function Summary({ result: { created, updated, unchanged, skipped } }: { result: ToolImport }) {
  const parts = [
    [created.length, 'new'],
    [updated.length, 'changed'],
    [unchanged.length, 'unchanged'],
    [skipped.length, 'skipped'],
  ] as const;
  const text = parts
    .filter(([count]) => count > 0)
    .map((part) => part.join(' '))
    .join(' · ');
  return <span className="text-muted text-xs">{text}</span>;
}

const Note = ({ children }: { children: ReactNode }) => <li className="px-3 py-2 text-muted text-xs">{children}</li>;

function OperationRow({ row, isChosen, onChange }: { row: Row; isChosen: boolean; onChange: (isOn: boolean) => void }) {
  const id = useId();
  return (
    <li className="px-3 py-2">
      <label htmlFor={id} className="flex min-w-0 items-center gap-2.5">
        <Checkbox
          id={id}
          aria-label={row.name}
          checked={isChosen}
          onChange={(event) => onChange(event.target.checked)}
        />
        <MethodBadge method={row.method} />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{row.name}</span>
          <code className="block truncate text-faint text-xs">{row.endpoint_path}</code>
        </span>
        <Badge tone={tones[row.kind]}>{row.kind}</Badge>
      </label>
      {row.changed_fields && (
        <ul aria-label={`What changes in ${row.name}`} className="mt-1.5 flex flex-wrap gap-1 pl-7">
          {row.changed_fields.map((field) => (
            <li key={field} className="break-all rounded bg-warning-soft px-1.5 font-mono text-2xs text-warning">
              {field}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** The names of schemes may have dots, which the form would read as paths. */
const isPlain = (name: string) => /^[\w-]+$/.test(name);

export function SchemeSecrets({ schemes }: { schemes: ToolImport['security_schemes'] }) {
  const usable = schemes.filter(({ auth_strategy, name }) => auth_strategy !== null && isPlain(name));
  const others = schemes.filter(({ auth_strategy }) => auth_strategy === null);
  if (schemes.length === 0) return null;
  return (
    <section aria-label="How the API authenticates" className="grid items-start gap-4 sm:grid-cols-2">
      {usable.map(({ name, type, tools }) => (
        <TextField
          key={name}
          name={`auth_secrets.${name}`}
          label={`Secret of ${name}`}
          autoComplete="off"
          spellCheck={false}
          hint={`${type}, for ${tools} operations. Empty: the tools send none.`}
        />
      ))}
      {others.map(({ name, type, reason }) => (
        <p key={name} className="text-muted text-xs">
          {name} ({type}): {reason}
        </p>
      ))}
    </section>
  );
}
