// Ctrl/⌘K: pages, projects and actions by name, and ids pasted into it.

import { Dialog as Base } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { createActions, otherPages, projectPages } from '../navigation.ts';
import { projectsQuery } from '../projects.ts';
import { cn } from './class-names.ts';
import { backdropClass, popupClass } from './dialog.tsx';

type Command = { id: string; label: string; hint: string; run(): void };

export function CommandPalette({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className={backdropClass} />
        <Base.Popup className={cn(popupClass, 'max-w-xl overflow-hidden')}>
          <Base.Title className="sr-only">Command palette</Base.Title>
          <Palette close={() => onOpenChange(false)} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

function Palette({ close }: { close: () => void }) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const listId = useId();
  const commands = useCommands();
  const found = commands.filter(({ label, hint, id }) => matches(`${label} ${hint} ${id}`, text)).slice(0, 50);
  const index = Math.min(chosen, Math.max(0, found.length - 1));
  const run = (command: Command | undefined) => {
    if (!command) return;
    close();
    command.run();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((index + step + found.length) % Math.max(1, found.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(found[index]);
    }
  };
  return (
    <>
      <input
        role="combobox"
        aria-label="Find a page, project or action"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={found.length > 0 ? `${listId}-${index}` : undefined}
        placeholder="Find a page, project or action"
        value={text}
        onKeyDown={onKey}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
        }}
        className="h-12 w-full border-line border-b bg-transparent px-4 text-base outline-none"
      />
      <div id={listId} role="listbox" aria-label="Results" className="min-h-0 overflow-y-auto p-1.5">
        {found.map((command, each) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys of the listbox
          // biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant of the input points here
          <div
            key={command.id}
            id={`${listId}-${each}`}
            role="option"
            aria-selected={each === index}
            onClick={() => run(command)}
            onPointerMove={() => setChosen(each)}
            className="flex h-9 cursor-pointer items-center justify-between gap-3 rounded-md px-2.5 aria-selected:bg-hover"
          >
            <span className="truncate">{command.label}</span>
            <span className="shrink-0 text-faint text-xs">{command.hint}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="px-4 pb-4 text-muted">Nothing is called “{text}”.</p>}
    </>
  );
}

/** Every word is somewhere in it. */
function matches(command: string, text: string): boolean {
  const all = command.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

function useCommands(): Command[] {
  const navigate = useNavigate();
  const { projectId } = useParams({ strict: false });
  const projects = useQuery(projectsQuery).data?.data ?? [];
  const params = { projectId: projectId ?? '' };
  const go =
    (to: string, search = {}) =>
    () =>
      void navigate({ to, params, search } as never);
  const pages = projectId ? projectPages : [];
  const actions = createActions.filter(({ isProjectAction }) => projectId || !isProjectAction);
  return [
    ...pages.map(({ label, to }) => ({ id: to, label, hint: 'Page', run: go(to) })),
    ...otherPages.map(({ label, to }) => ({ id: to, label, hint: 'Page', run: go(to) })),
    ...actions.map(({ label, to }) => ({ id: label, label, hint: 'Action', run: go(to, { dialog: 'create' }) })),
    ...projects.map(({ id, name }) => ({
      id,
      label: name,
      hint: 'Project',
      run: () => void navigate({ to: '/projects/$projectId', params: { projectId: id } }),
    })),
    { id: '/docs', label: 'API reference', hint: 'Page', run: () => window.location.assign('/docs') },
  ];
}
