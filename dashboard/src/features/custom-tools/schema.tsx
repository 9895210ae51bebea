// The input schema: as a list of properties with its JSON below, or as JSON alone. What the list cannot show stays in the JSON.

import { fileArgumentsOf } from '@toolgate/contract/custom-tools/file-arguments.ts';
import { isReserved } from '@toolgate/contract/custom-tools/reserved-variables.ts';
import { Plus, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { Button, IconButton } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { Checkbox, controlClass, Field, Options, useFieldError } from '../../ui/forms/field.tsx';
import { jsonProblem } from '../../ui/forms/json.tsx';
import { parseSchema, schemaProblem } from './rules.ts';
import type { ToolValues } from './values.ts';

const NAME = 'input_schema';

export function SchemaField() {
  const id = useId();
  const [view, setView] = useState<'json' | 'form'>('form');
  const { watch, setValue } = useFormContext<ToolValues>();
  const error = useFieldError(NAME);
  const problem = error ? undefined : schemaProblem(watch());
  const isJson = jsonProblem(watch(NAME)) === null;
  const format = () => setValue(NAME, JSON.stringify(JSON.parse(watch(NAME)), null, 2), { shouldDirty: true });
  const views = (
    <span className="flex items-center gap-3 text-xs">
      {view === 'json' && (
        <button
          type="button"
          disabled={!isJson}
          onClick={format}
          className="text-accent hover:underline disabled:text-faint"
        >
          Format
        </button>
      )}
      <span className="flex rounded-md border border-line p-0.5">
        <ViewButton isOn={view === 'form'} onClick={() => setView('form')} label="Form" />
        <ViewButton isOn={view === 'json'} onClick={() => setView('json')} label="JSON" />
      </span>
    </span>
  );
  if (view === 'json') return <JsonView rows={10} error={error} problem={problem} aside={views} />;
  return (
    // biome-ignore lint/a11y/useSemanticElements: its legend could not stand beside the buttons
    <div role="group" aria-labelledby={`${id}-label`} className="grid grid-cols-1 gap-1.5">
      <div className="flex items-baseline justify-between gap-2">
        <span id={`${id}-label`} className="font-medium">
          Properties
        </span>
        {views}
      </div>
      <PropertyList />
      <JsonView rows={5} error={error} problem={problem} aside={null} />
    </div>
  );
}

function ViewButton({ isOn, onClick, label }: { isOn: boolean; onClick: () => void; label: string }) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className={cn('rounded px-2 py-0.5 font-medium', isOn ? 'bg-hover text-ink' : 'text-muted hover:text-ink')}
    >
      {label}
    </button>
  );
}

function JsonView({
  rows,
  error,
  problem,
  aside,
}: {
  rows: number;
  error: string | undefined;
  problem: string | undefined;
  aside: React.ReactNode;
}) {
  const { register } = useFormContext<ToolValues>();
  const hint = problem ? (
    <span className="text-warning">{problem}</span>
  ) : (
    'JSON Schema 2020-12. member_id, project_id and integration_id are reserved: only toolgate sets them.'
  );
  return (
    <Field label="Input schema" hint={hint} error={error} aside={aside}>
      {(attributes) => (
        <textarea
          {...attributes}
          {...register(NAME)}
          rows={rows}
          spellCheck={false}
          autoComplete="off"
          className={cn(controlClass, 'py-2 font-mono text-xs leading-5')}
        />
      )}
    </Field>
  );
}

type Row = { key: number; name: string; schema: Record<string, unknown>; isRequired: boolean };

const FILE = 'file';
const simpleTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object', FILE];
let lastKey = 0;

function rowsOf(text: string): Row[] | null {
  const schema = parseSchema(text);
  if (schema === null) return null;
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties ?? {}).map(([name, given]) => {
    lastKey += 1;
    const property = typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {};
    return { key: lastKey, name, schema: property, isRequired: required.includes(name) };
  });
}

/** The rows are their own state while they are edited: two may have the same name for a moment. */
function PropertyList() {
  const { watch, setValue } = useFormContext<ToolValues>();
  const text = watch(NAME);
  const [{ rows, written }, setState] = useState(() => ({ rows: rowsOf(text), written: text }));
  // Somebody wrote the JSON itself, or a button added a property.
  if (text !== written) setState({ rows: rowsOf(text), written: text });
  if (rows === null)
    return (
      <p className="rounded-md border border-line p-3 text-muted">
        The schema is not a JSON object. Fix the JSON first.
      </p>
    );
  const change = (next: Row[]) => {
    const { required: _, ...schema } = parseSchema(text) ?? {};
    const named = next.filter(({ name }) => name !== '');
    const required = named.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    const properties = Object.fromEntries(named.map(({ name, schema }) => [name, schema]));
    const written = JSON.stringify({ ...schema, properties, ...(required.length > 0 && { required }) }, null, 2);
    setState({ rows: next, written });
    setValue(NAME, written, { shouldDirty: true });
  };
  const add = () => {
    lastKey += 1;
    change([...rows, { key: lastKey, name: '', schema: { type: 'string' }, isRequired: true }]);
  };
  return (
    <div className="grid gap-2">
      {rows.map((row, index) => (
        <PropertyRow
          key={row.key}
          row={row}
          number={index + 1}
          onChange={(changed) => change(rows.map((each) => (each.key === row.key ? changed : each)))}
          onRemove={() => change(rows.filter((each) => each.key !== row.key))}
        />
      ))}
      <Button size="sm" className="w-fit" onClick={add}>
        <Plus /> Add property
      </Button>
    </div>
  );
}

/** A file is a string with that format. */
const typed = (type: string, format: unknown) => (type === FILE ? { type: 'string', format: FILE } : { type, format });

type RowProps = { row: Row; number: number; onChange: (row: Row) => void; onRemove: () => void };

function PropertyRow({ row, number, onChange, onRemove }: RowProps) {
  const id = useId();
  const { name, schema, isRequired } = row;
  const isFile = fileArgumentsOf({ properties: { [name]: schema } }).length > 0;
  const named = isFile ? FILE : schema.type;
  const type = typeof named === 'string' && simpleTypes.includes(named) ? named : 'other';
  const options = [...simpleTypes, ...(type === 'other' ? ['other'] : [])].map((value) => ({ value, label: value }));
  const set = (changes: object) => onChange({ ...row, schema: { ...schema, ...changes } });
  const small = cn(controlClass, 'h-8 px-2 text-xs');
  return (
    <div className="grid grid-cols-[1fr_6.5rem_auto_auto] items-center gap-2 rounded-md border border-line bg-canvas p-2">
      <input
        aria-label={`Property ${number}: key`}
        placeholder="order_id"
        spellCheck={false}
        value={name}
        onChange={(event) => onChange({ ...row, name: event.target.value })}
        aria-invalid={isReserved(name) || undefined}
        className={cn(small, 'font-mono')}
      />
      <select
        aria-label={`Property ${number}: type`}
        value={type}
        disabled={type === 'other'}
        onChange={(event) => set(typed(event.target.value, isFile ? undefined : schema.format))}
        className={cn(small, 'select-arrow')}
      >
        <Options options={options} />
      </select>
      <label htmlFor={id} className="flex items-center gap-1.5 text-xs">
        <Checkbox
          id={id}
          checked={isRequired}
          onChange={(event) => onChange({ ...row, isRequired: event.target.checked })}
        />
        required
      </label>
      <IconButton label={`Remove property ${number}`} icon={<Trash2 />} className="size-7" onClick={onRemove} />
      <input
        aria-label={`Property ${number}: what it is`}
        placeholder="What the model should send"
        value={typeof schema.description === 'string' ? schema.description : ''}
        onChange={(event) => set({ description: event.target.value || undefined })}
        className={cn(small, 'col-span-full')}
      />
      {isReserved(name) && (
        <p className="col-span-full text-danger text-xs">
          Reserved: only toolgate sets {name}, so no argument can have this name.
        </p>
      )}
    </div>
  );
}
