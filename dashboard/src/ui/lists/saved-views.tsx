// Saved views: chips that set the filters of a page, and "Save view" for the filters that are set.

import { Bookmark, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useProjectId } from '../../api/client.ts';
import { Button, IconButton } from '../button.tsx';
import { cn } from '../class-names.ts';
import { Dialog, DialogActions } from '../dialogs/dialog.tsx';
import { controlClass, Field } from '../forms/field.tsx';
import { Name } from '../name.tsx';
import { type SearchName, useFilters } from '../search.ts';
import { readViews, type SavedView, writeViews } from './stored-views.ts';

/** `names`: the parameters that make up a view. */
export function SavedViews({ page, names }: { page: string; names: readonly SearchName[] }) {
  const place = `${useProjectId()}-${page}`;
  return <Views key={place} place={place} names={names} />;
}

function Views({ place, names }: { place: string; names: readonly SearchName[] }) {
  const { values, set } = useFilters();
  const [views, setViews] = useState(() => readViews(place));
  const [isNaming, setNaming] = useState(false);
  const current = Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]]] : [])));
  const change = (next: SavedView[]) => {
    setViews(next);
    writeViews(place, next);
  };
  const isFiltered = Object.keys(current).length > 0;
  if (!isFiltered && views.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {views.map((view) => (
        <ViewChip
          key={view.name}
          name={view.name}
          isOpen={isFiltered && names.every((name) => view.query[name] === current[name])}
          onOpen={() => set({ ...Object.fromEntries(names.map((name) => [name, undefined])), ...view.query })}
          onRemove={() => change(views.filter(({ name }) => name !== view.name))}
        />
      ))}
      {isFiltered && (
        <Button size="sm" look="ghost" onClick={() => setNaming(true)}>
          <Bookmark /> Save view
        </Button>
      )}
      <NameDialog
        open={isNaming}
        onOpenChange={setNaming}
        onNamed={(name) => change([...views.filter((view) => view.name !== name), { name, query: current }])}
      />
    </div>
  );
}

type ChipProps = { name: string; isOpen: boolean; onOpen: () => void; onRemove: () => void };

function ViewChip({ name, isOpen, onOpen, onRemove }: ChipProps) {
  return (
    <span className={cn('flex max-w-56 items-center rounded-md border border-line bg-surface', isOpen && 'bg-hover')}>
      <Button size="sm" look="ghost" aria-pressed={isOpen} onClick={onOpen} className="min-w-0 shrink">
        <Name text={name} className="truncate" />
      </Button>
      <IconButton label={`Remove the view ${name}`} icon={<X />} className="size-6" onClick={onRemove} />
    </span>
  );
}

type NameProps = { open: boolean; onOpenChange: (open: boolean) => void; onNamed: (name: string) => void };

function NameDialog({ open, onOpenChange, onNamed }: NameProps) {
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return;
    onNamed(name.trim());
    setName('');
    onOpenChange(false);
  };
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Save view" description="It is stored in this browser.">
      <form onSubmit={submit} className="grid gap-4">
        <Field label="Name">
          {(attributes) => (
            <input
              {...attributes}
              required
              maxLength={60}
              autoComplete="off"
              value={name}
              onChange={(event) => setName(event.target.value)}
              className={cn(controlClass, 'h-8')}
            />
          )}
        </Field>
        <DialogActions submit="Save" onCancel={() => onOpenChange(false)} />
      </form>
    </Dialog>
  );
}
