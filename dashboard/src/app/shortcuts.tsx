// Keyboard shortcuts: one listener for all. "g" then a letter jumps to a page, "c" creates, "/" searches, "?" shows the list.

import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useOpenProjectId } from '../api/client.ts';
import { runCreateShortcut } from '../ui/create-shortcut.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { jumps } from './navigation.ts';

const SEQUENCE_MS = 1_500;

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
    (target instanceof HTMLInputElement && !/^(checkbox|radio|button)$/.test(target.type))
  );
}

const isDialogOpen = () => document.querySelector('[role="dialog"],[role="alertdialog"]') !== null;
/** It closes by its own button only, and no page opens meanwhile. */
const isPersistentDialogOpen = () => document.querySelector('[data-persistent]') !== null;

export function Shortcuts({ openPalette }: { openPalette: () => void }) {
  const [isSheetOpen, setSheetOpen] = useState(false);
  const navigate = useNavigate();
  const projectId = useOpenProjectId();
  useEffect(() => {
    let jumpBefore = 0;
    const open = (jump: (typeof jumps)[number]) =>
      void (jump.isProjectPage
        ? navigate({ to: jump.to, params: { projectId: projectId ?? '' }, search: {} })
        : navigate({ to: jump.to, search: {} }));
    const onKey = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        if (!isPersistentDialogOpen()) openPalette();
        return;
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target) || isDialogOpen()) return;
      const isJump = event.timeStamp < jumpBefore;
      jumpBefore = 0;
      if (isJump) {
        const jump = jumps.find(({ key }) => key === event.key);
        if (!jump || (jump.isProjectPage && !projectId)) return;
        event.preventDefault();
        open(jump);
      } else if (event.key === 'g') jumpBefore = event.timeStamp + SEQUENCE_MS;
      else if (event.key === '?') setSheetOpen(true);
      else if (event.key === 'c') {
        if (runCreateShortcut()) event.preventDefault();
      } else if (event.key === '/') {
        const field = document.querySelector<HTMLInputElement>('[data-search]');
        if (!field) return;
        event.preventDefault();
        field.focus();
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [navigate, openPalette, projectId]);
  return <ShortcutSheet open={isSheetOpen} onOpenChange={setSheetOpen} />;
}

/** The key that is held for shortcuts of the browser. */
export const modifierKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

const general = [
  { keys: [modifierKey, 'K'], text: 'Command palette' },
  { keys: ['?'], text: 'Keyboard shortcuts' },
  { keys: ['/'], text: 'Search the list' },
  { keys: ['c'], text: 'Create' },
  { keys: ['F6'], text: 'Go to the messages' },
  { keys: ['Esc'], text: 'Close' },
];

type SheetProps = { open: boolean; onOpenChange: (open: boolean) => void };

function ShortcutSheet({ open, onOpenChange }: SheetProps) {
  const projectId = useOpenProjectId();
  const go = jumps.map(({ key, label, isProjectPage }) => ({
    keys: ['g', key],
    text: label,
    isOff: isProjectPage && !projectId,
  }));
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts">
      <Rows title="Everywhere" rows={general} />
      <Rows title="Go to" rows={go} />
      {!projectId && <p className="mt-2 text-muted text-xs">The gray shortcuts work only on the pages of a project.</p>}
    </Dialog>
  );
}

type Row = { keys: string[]; text: string; isOff?: boolean };

function Rows({ title, rows }: { title: string; rows: Row[] }) {
  return (
    <>
      <h3 className="mt-4 mb-1 font-medium text-faint text-xs first:mt-0">{title}</h3>
      <dl className="grid gap-x-8 gap-y-1 sm:grid-cols-2">
        {rows.map(({ keys, text, isOff }) => (
          <div key={text} className="flex h-7 items-center justify-between">
            <dt className={isOff ? 'text-faint' : undefined}>{text}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <Key key={key} name={key} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

export function Key({ name }: { name: string }) {
  return (
    <kbd className="grid h-5 min-w-5 place-items-center rounded border border-line-strong bg-surface px-1 text-2xs text-muted">
      {name}
    </kbd>
  );
}
