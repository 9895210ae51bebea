// The frame of every page behind the sign-in: top bar, project navigation, content.

import { Dialog } from '@base-ui/react/dialog';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { BookOpen, CircleUser, LogOut, Menu as MenuIcon, Search, UserCog, Users, X } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { useOpenProjectId, useProjectId } from '../api/client.ts';
import { useAccount, useFreshAccount } from '../api/session.ts';
import { ReauthenticationDialog } from '../features/account/reauthentication-dialog.tsx';
import { usePendingCount } from '../features/approvals/queries.ts';
import { ProjectSwitcher } from '../features/projects/switcher.tsx';
import { useSignOut } from '../features/sign-in/sign-out.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { cn } from '../ui/class-names.ts';
import { backdropClass } from '../ui/dialogs/dialog.tsx';
import { Logo } from '../ui/logo.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { Name } from '../ui/name.tsx';
import { ThemeMenu } from '../ui/theme-menu.tsx';
import { CommandPalette } from './command-palette.tsx';
import { projectPages } from './navigation.ts';
import { Key, modifierKey, Shortcuts } from './shortcuts.tsx';

export function Shell() {
  useFreshAccount();
  const projectId = useOpenProjectId();
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const openPalette = useCallback(() => setPaletteOpen(true), []);
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-solid px-3 py-1.5 text-on-solid focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <TopBar openPalette={openPalette} />
      <div className="mx-auto flex w-full max-w-screen-2xl flex-1">
        {projectId && (
          <aside className="sticky top-12 hidden h-[calc(100dvh-3rem)] w-56 shrink-0 overflow-y-auto border-line border-r px-3 py-4 lg:block">
            <ProjectNav />
          </aside>
        )}
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 px-4 py-6 outline-none sm:px-6 lg:px-8 lg:py-8">
          <div className={cn('mx-auto', projectId ? 'max-w-6xl' : 'max-w-5xl')}>
            <Outlet />
          </div>
        </main>
      </div>
      <CommandPalette open={isPaletteOpen} onOpenChange={setPaletteOpen} />
      <Shortcuts openPalette={openPalette} />
      <ReauthenticationDialog />
    </div>
  );
}

function TopBar({ openPalette }: { openPalette: () => void }) {
  const projectId = useOpenProjectId();
  return (
    <header className="sticky top-0 z-30 border-line border-b bg-canvas/90 backdrop-blur">
      <div className="mx-auto flex h-12 max-w-screen-2xl items-center gap-1 px-3 sm:px-4">
        {projectId && <NarrowMenu />}
        <Link to="/" aria-label="toolgate, all projects" className="mr-1 rounded-md p-1">
          <Logo />
        </Link>
        <span aria-hidden className="text-line-strong">
          /
        </span>
        <ProjectSwitcher />
        <div className="flex-1" />
        <Button look="outline" onClick={openPalette} className="hidden text-faint md:inline-flex">
          <Search /> Search
          <span aria-hidden className="ml-3 flex gap-0.5">
            <Key name={modifierKey} />
            <Key name="K" />
          </span>
        </Button>
        <a
          href="/docs"
          className="hidden h-8 items-center gap-1.5 whitespace-nowrap rounded-md px-2.5 font-medium text-muted hover:bg-hover hover:text-ink sm:inline-flex"
        >
          <BookOpen className="size-4" /> Docs
        </a>
        <ThemeMenu />
        <AccountMenu />
      </div>
    </header>
  );
}

function AccountMenu() {
  const account = useAccount();
  const signOut = useSignOut();
  return (
    <Menu trigger={<IconButton label="Account" icon={<CircleUser />} />}>
      <div className="px-2 py-1.5">
        <div className="truncate font-medium">
          <Name text={account?.name ?? ''} />
        </div>
        <div className="truncate text-muted text-xs">
          <Name text={account?.email ?? ''} />
        </div>
        <div className="truncate text-faint text-xs">
          {account?.role} of <Name text={account?.organization.name ?? ''} />
        </div>
      </div>
      <MenuSeparator />
      <MenuItem icon={<UserCog />} render={<Link to="/account" />}>
        Your account
      </MenuItem>
      <MenuItem icon={<Users />} render={<Link to="/people" />}>
        People
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<LogOut />} onClick={signOut}>
        Sign out
      </MenuItem>
    </Menu>
  );
}

/** The same navigation in a drawer, for screens without room for it. */
function NarrowMenu() {
  const [isOpen, setOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes whenever the page changes
  useEffect(() => setOpen(false), [path]);
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger render={<IconButton label="Menu" icon={<MenuIcon />} className="lg:hidden" />} />
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup className="fixed inset-y-0 left-0 z-40 w-64 overflow-y-auto border-line border-r bg-raised p-3 transition-transform duration-200 data-ending-style:-translate-x-full data-starting-style:-translate-x-full">
          <div className="mb-2 flex items-center justify-between pl-2">
            <Dialog.Title className="font-medium">Menu</Dialog.Title>
            <Dialog.Close render={<IconButton label="Close" icon={<X />} />} />
          </div>
          <ProjectNav />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** How many calls wait for a person. Beside the link, whose name is that of its page. */
function PendingBadge() {
  const pending = usePendingCount();
  if (pending === undefined) return null;
  return (
    <Badge tone="accent" className="pointer-events-none absolute top-1.5 right-2">
      {pending}
      <span className="sr-only"> waiting</span>
    </Badge>
  );
}

function ProjectNav() {
  const projectId = useProjectId();
  const groups = Map.groupBy(projectPages, ({ group }) => group);
  return (
    <nav aria-label="Project" className="grid gap-4">
      {[...groups].map(([group, pages]) => (
        <div key={group}>
          {group && <div className="mb-1 px-2 font-medium text-faint text-xs">{group}</div>}
          <ul className="grid gap-0.5">
            {pages.map(({ label, to, icon: Icon }) => (
              <li key={to} className="relative">
                <Link
                  to={to}
                  params={{ projectId }}
                  activeOptions={{ exact: label === 'Overview', includeSearch: false }}
                  className="flex h-8 items-center gap-2.5 rounded-md px-2 text-muted transition-colors hover:bg-hover hover:text-ink aria-[current]:bg-hover aria-[current]:font-medium aria-[current]:text-ink [&_svg]:size-4"
                >
                  <Icon aria-hidden />
                  {label}
                </Link>
                {label === 'Approvals' && <PendingBadge />}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
