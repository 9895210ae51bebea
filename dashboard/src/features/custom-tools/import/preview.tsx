// What an import would do: its operations to choose from, with what is new and what changed, and the secrets that it needs.

import type { ToolImport } from '@toolgate/sdk';
import { type ReactNode, useId, useState } from 'react';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { cn } from '../../../ui/class-names.ts';
import { Checkbox, controlClass, TextField } from '../../../ui/forms/field.tsx';
import { cardClass } from '../../../ui/section.tsx';
import { MethodBadge } from '../facts.tsx';
import { type Choices, isChosen, isLeftOutAtFirst, type Kind, type Operation, operationsOf } from './choice.ts';
import { AllDrops, type Drops, ToolDrops } from './drops.tsx';
import { OperationFilters, useOperationFilters } from './filters.tsx';

const tones: Record<Kind, Tone> = { new: 'success', changed: 'warning', unchanged: 'neutral' };
const MOST_SHOWN = 200;
const NONE: ReadonlySet<string> = new Set();

type Props = {
  result: ToolImport;
  choices: Choices;
  onChange: (choices: Choices) => void;
  drops: Drops;
  onDrop: (drops: Drops) => void;
};

export function ImportPreview({ result, choices, onChange, drops, onDrop }: Props) {
  const [search, setSearch] = useState('');
  const operations = operationsOf(result);
  const { matches, ...facets } = useOperationFilters(operations);
  const shown = operations.filter(
    (operation) =>
      matches(operation) && `${operation.name} ${operation.endpoint_path}`.toLowerCase().includes(search.toLowerCase()),
  );
  const chosen = operations.filter((operation) => isChosen(operation, choices));
  const set = (given: Operation[], isOn: boolean) =>
    onChange(new Map([...choices, ...given.map(({ name }) => [name, isOn] as const)]));
  return (
    <section aria-label="Operations" className={cn(cardClass, 'min-w-0 overflow-hidden')}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b px-3 py-2">
        <span role="status" className="font-medium">
          {chosen.length} of {operations.length} operations
        </span>
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
      <OperationFilters {...facets} />
      <div className="flex flex-wrap items-center gap-2 border-line border-b px-3 py-2">
        <Button size="sm" onClick={() => set(shown, true)}>
          Select all {shown.length} shown
        </Button>
        <Button size="sm" onClick={() => set(shown, false)}>
          Select none of them
        </Button>
        {operations.some(isLeftOutAtFirst) && (
          <p className="text-muted text-xs">New DELETE operations are not selected until you select them.</p>
        )}
      </div>
      <AllDrops operations={chosen} drops={drops} onChange={onDrop} />
      <ul aria-label="Operations of the document" className="max-h-64 divide-y divide-line overflow-y-auto">
        {shown.slice(0, MOST_SHOWN).map((row) => (
          <OperationRow
            key={row.name}
            row={row}
            isChosen={isChosen(row, choices)}
            onChange={(isOn) => set([row], isOn)}
          >
            <ToolDrops
              row={row}
              accepted={drops.get(row.name) ?? NONE}
              onChange={(paths) => onDrop(new Map([...drops, [row.name, paths]]))}
            />
          </OperationRow>
        ))}
        {shown.length > MOST_SHOWN && (
          <Note>
            {shown.length - MOST_SHOWN} more: search or filter to see them. They are imported if they are selected.
          </Note>
        )}
        {result.skipped.map(({ operation, reason }) => (
          <Note key={operation}>
            <code className="break-all text-ink">{operation}</code> cannot be a tool: {reason}
          </Note>
        ))}
      </ul>
      {result.not_in_document.length > 0 && (
        <p className="break-words border-line border-t px-3 py-2 text-muted text-xs">
          No longer in the document, and left unchanged: {result.not_in_document.map(({ name }) => name).join(', ')}
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

type RowProps = { row: Operation; isChosen: boolean; onChange: (isOn: boolean) => void; children: ReactNode };

function OperationRow({ row, isChosen, onChange, children }: RowProps) {
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
      {isChosen && children}
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
          hint={`${type}, for ${tools} operations. If left empty, the tools send no secret.`}
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
