// The arguments of a tool as fields, from its input schema. They read and write the JSON text, which stays the truth.

import { fileArgumentsOf } from '@toolgate/contract/custom-tools/file-arguments.ts';
import { isReserved } from '@toolgate/contract/custom-tools/reserved-variables.ts';
import type { CustomTool } from '@toolgate/sdk';
import { cn } from '../../../ui/class-names.ts';
import { controlClass, Field, Options } from '../../../ui/forms/field.tsx';
import type { Option } from '../../../ui/forms/options.ts';
import { FileField } from '../../files/field.tsx';
import type { TryIt } from './state.ts';

type Property = { type?: unknown; description?: unknown; enum?: unknown };
const inputClass = cn(controlClass, 'h-8');

/** Fixed arguments are not among them: a call that gives one is refused. */
export function ArgumentFields({ tool, tryIt }: { tool: CustomTool; tryIt: TryIt }) {
  const { properties = {}, required = [] } = tool.input_schema as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  const isGiven = (name: string) => !isReserved(name) && !Object.hasOwn(tool.fixed_arguments, name);
  const simple = Object.entries(properties).filter(([name, given]) => isGiven(name) && isSimple(given as Property));
  const files = fileArgumentsOf(tool.input_schema);
  const { args } = tryIt;
  if (simple.length === 0) return null;
  const set = (name: string, value: unknown) => {
    const next = { ...args };
    if (value === undefined) delete next[name];
    else next[name] = value;
    tryIt.setText(JSON.stringify(next, null, 2));
  };
  return (
    <fieldset disabled={args === null} className="grid min-w-0 grid-cols-1 items-start gap-4 sm:grid-cols-2">
      <legend className="sr-only">Values</legend>
      {simple.map(([name, given]) => (
        <ArgumentField
          key={name}
          name={name}
          property={given as Property}
          isFile={files.includes(name)}
          isRequired={Array.isArray(required) && required.includes(name)}
          value={args?.[name]}
          error={tryIt.refused(name)}
          onChange={(value) => set(name, value)}
        />
      ))}
    </fieldset>
  );
}

/** Lists and objects are written as JSON only. */
const isSimple = ({ type, enum: allowed }: Property) =>
  Array.isArray(allowed) || ['string', 'number', 'integer', 'boolean'].includes(String(type));

type FieldProps = {
  name: string;
  property: Property;
  isFile: boolean;
  isRequired: boolean;
  value: unknown;
  error: string | undefined;
  onChange: (value: unknown) => void;
};

function ArgumentField({ name, property, isFile, isRequired, value, error, onChange }: FieldProps) {
  const { type, description } = property;
  const options = optionsOf(property);
  const hint = [typeof description === 'string' && description, !isRequired && 'optional'].filter(Boolean).join(' · ');
  if (isFile)
    return (
      <FileField
        label={name}
        hint={hint || undefined}
        error={error}
        value={typeof value === 'string' ? value : ''}
        onChange={(id) => onChange(id === '' ? undefined : id)}
      />
    );
  return (
    <Field label={name} hint={hint || undefined} error={error}>
      {(attributes) =>
        options ? (
          <select
            {...attributes}
            value={value === undefined ? '' : JSON.stringify(value)}
            onChange={(event) => onChange(event.target.value === '' ? undefined : JSON.parse(event.target.value))}
            className={cn(inputClass, 'select-arrow')}
          >
            <Options options={[{ value: '', label: '–' }, ...options]} />
          </select>
        ) : (
          <input
            {...attributes}
            type={type === 'string' ? 'text' : 'number'}
            step={type === 'integer' ? 1 : 'any'}
            autoComplete="off"
            value={typeof value === 'string' || typeof value === 'number' ? value : ''}
            onChange={(event) => onChange(readInput(event.target.value, type, isRequired))}
            className={inputClass}
          />
        )
      }
    </Field>
  );
}

function optionsOf({ type, enum: allowed }: Property): Option[] | null {
  const values: unknown[] | null = Array.isArray(allowed) ? allowed : type === 'boolean' ? [true, false] : null;
  return values?.map((value) => ({ value: JSON.stringify(value), label: String(value) })) ?? null;
}

/** An empty field is an argument that is left out, except a text that is required. */
function readInput(text: string, type: unknown, isRequired: boolean): unknown {
  if (type !== 'string') return text === '' ? undefined : Number(text);
  return text === '' && !isRequired ? undefined : text;
}
