// Ctrl/⌘K: pages, projects, tools, keys, members, webhooks and actions by name, and ids pasted into it.

import { Dialog as Base } from '@base-ui/react/dialog';
import { type KeyboardEvent, useId, useState } from 'react';
import { cn } from '../ui/class-names.ts';
import { backdropClass, popupClass } from '../ui/dialogs/dialog.tsx';
import { Name } from '../ui/name.tsx';
import { type Command, useCommands } from './commands.tsx';

const SHOWN = 50;
const LABEL = 'Find a page, a tool, an action and more, or paste an id';

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
  const { commands, byId, byName } = useCommands(text);
  const named = commands.filter(({ label, hint, id }) => matches(`${label} ${hint} ${id}`, text));
  const found = [...byId, ...named, ...byName].slice(0, SHOWN);
  const index = Math.min(chosen, Math.max(0, found.length - 1));
  const run = (command: Command | undefined) => {
    if (!command || command.disabledReason) return;
    close();
    command.run();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = (index + step + found.length) % Math.max(1, found.length);
      setChosen(next);
      document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(found[index]);
    }
  };
  return (
    <>
      <input
        role="combobox"
        aria-label={LABEL}
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={found.length > 0 ? `${listId}-${index}` : undefined}
        placeholder={LABEL}
        value={text}
        onKeyDown={onKey}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
        }}
        className="h-12 w-full shrink-0 text-ellipsis border-line border-b bg-transparent px-4 text-base outline-none"
      />
      <div id={listId} role="listbox" aria-label="Results" className="min-h-0 overflow-y-auto p-1.5">
        {found.map((command, each) => (
          <Option
            key={command.id}
            id={`${listId}-${each}`}
            command={command}
            isChosen={each === index}
            choose={() => setChosen(each)}
            run={() => run(command)}
          />
        ))}
      </div>
      {found.length === 0 && <p className="px-4 pb-4 text-muted">No results for “{text}”.</p>}
    </>
  );
}

type OptionProps = { id: string; command: Command; isChosen: boolean; choose: () => void; run: () => void };

function Option({ id, command, isChosen, choose, run }: OptionProps) {
  const { label, hint, icon: Icon, disabledReason } = command;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys of the listbox
    // biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant of the input points here
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      aria-disabled={disabledReason !== undefined}
      onClick={run}
      onPointerMove={choose}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 aria-disabled:cursor-default aria-disabled:text-faint aria-selected:bg-hover"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-faint" />
      <span className="min-w-0 flex-1 text-left">
        <Name text={label} className="block truncate" />
        {disabledReason && <span className="block pb-1 text-xs">{disabledReason}</span>}
      </span>
      <span className="shrink-0 text-faint text-xs">{hint}</span>
    </div>
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
