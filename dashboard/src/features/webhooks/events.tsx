// The field "Events": what a webhook subscribes to, as text, with the catalogue below it to choose from.

import type { EventType } from '@toolgate/sdk';
import { ChevronRight } from 'lucide-react';
import { useFormContext } from 'react-hook-form';
import { useProjectQuery } from '../../api/client.ts';
import { useAccess } from '../../api/session.ts';
import { cn } from '../../ui/class-names.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Checkbox, controlClass, Field, useFieldError } from '../../ui/forms/field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ErrorAlert } from '../../ui/states.tsx';

export const readEvents = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))];

export function EventsField({ name }: { name: string }) {
  const { register } = useFormContext();
  return (
    <div className="grid gap-2">
      <Field
        label="Events"
        hint="Types, all of a resource (tool_call.*), or * for all. Separate them with commas, or choose below."
        error={useFieldError(name)}
      >
        {(attributes) => (
          <input
            type="text"
            spellCheck={false}
            autoComplete="off"
            {...attributes}
            {...register(name)}
            className={cn(controlClass, 'h-8 font-mono text-xs')}
          />
        )}
      </Field>
      <Catalogue name={name} />
    </div>
  );
}

function Catalogue({ name }: { name: string }) {
  const { watch, setValue } = useFormContext();
  const query = useProjectQuery(['event-types'], (api) => api.events.types.list(), { staleTime: Infinity });
  const chosen = readEvents(watch(name) ?? '');
  const toggle = (pattern: string, isOn: boolean) => {
    const next = isOn ? [...chosen, pattern] : chosen.filter((each) => each !== pattern);
    setValue(name, next.join(', '), { shouldDirty: true, shouldValidate: true });
  };
  if (query.error) return <ErrorAlert error={query.error} />;
  if (!query.data) return <Skeleton className="h-64 w-full" />;
  const isAll = chosen.includes('*');
  return (
    <div className="max-h-64 overflow-y-auto rounded-md border border-line">
      <Choice
        pattern="*"
        text="Everything, including types of later versions"
        needsAdmin
        isOn={isAll}
        toggle={toggle}
      />
      {[...byResource(query.data.data)].map(([resource, types]) => (
        <Resource key={resource} {...{ resource, types, chosen, isAll, toggle }} />
      ))}
    </div>
  );
}

/** A ping goes to one webhook on request, so nothing subscribes to it. */
function byResource(types: EventType[]): Map<string, EventType[]> {
  const groups = new Map<string, EventType[]>();
  for (const each of types) {
    const [resource = '', action] = each.type.split('.');
    if (action !== undefined) groups.set(resource, [...(groups.get(resource) ?? []), each]);
  }
  return groups;
}

type ResourceProps = {
  resource: string;
  types: EventType[];
  chosen: string[];
  isAll: boolean;
  toggle: (pattern: string, isOn: boolean) => void;
};

function Resource({ resource, types, chosen, isAll, toggle }: ResourceProps) {
  const pattern = `${resource}.*`;
  const isWhole = isAll || chosen.includes(pattern);
  const count = isWhole ? types.length : types.filter(({ type }) => chosen.includes(type)).length;
  return (
    <details className="group border-line border-t">
      <summary className="flex h-9 list-none items-center gap-2 px-3 hover:bg-hover">
        <ChevronRight aria-hidden className="size-4 text-faint transition-transform group-open:rotate-90" />
        <code className="text-xs">{resource}</code>
        <span className="ml-auto text-faint text-xs">
          {count} of {types.length}
        </span>
      </summary>
      <div className="pb-2 pl-6">
        <Choice
          pattern={pattern}
          text="All of them"
          needsAdmin={types.some(({ readable_with }) => readable_with === 'admin')}
          isOn={isWhole}
          isFixed={isAll}
          toggle={toggle}
        />
        {types.map(({ type, description, readable_with, example }) => (
          <div key={type}>
            <Choice
              pattern={type}
              text={description}
              needsAdmin={readable_with === 'admin'}
              isOn={isWhole || chosen.includes(type)}
              isFixed={isWhole}
              toggle={toggle}
            />
            <details className="mr-3 ml-9">
              <summary className="w-fit text-accent text-xs hover:underline">Example</summary>
              <CodeBlock code={JSON.stringify(example, null, 2)} label={`${type} example`} className="mt-1 mb-2" />
            </details>
          </div>
        ))}
      </div>
    </details>
  );
}

type ChoiceProps = {
  pattern: string;
  text: string;
  needsAdmin?: boolean;
  isOn: boolean;
  /** A wider choice includes it. */
  isFixed?: boolean;
  toggle: (pattern: string, isOn: boolean) => void;
};

function Choice({ pattern, text, needsAdmin, isOn, isFixed, toggle }: ChoiceProps) {
  const reason = useAccess().reason('admin');
  const isRefused = needsAdmin === true && reason !== undefined;
  const id = `event-${pattern}`;
  return (
    <div className="flex gap-2.5 px-3 py-1.5">
      <Checkbox
        id={id}
        checked={isOn}
        disabled={isFixed === true || isRefused}
        aria-describedby={`${id}-text`}
        onChange={(event) => toggle(pattern, event.target.checked)}
        className="mt-0.5"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="font-mono text-xs">
          {pattern}
        </label>
        <p id={`${id}-text`} className="text-muted text-xs">
          {isRefused ? 'Requires the permission “admin”.' : text}
        </p>
      </div>
    </div>
  );
}
