// Menus. Row actions are in a menu named "Actions"; an action that the person may not do is shown with the reason.

import { Menu as Base } from '@base-ui/react/menu';
import { Check, CirclePause, CirclePlay, MoreHorizontal, Pencil, RefreshCw, Trash2 } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { type Permission, useAccess } from '../api/session.ts';
import { IconButton } from './button.tsx';
import { cn } from './class-names.ts';
import { popups } from './popups.ts';

type MenuProps = { trigger: ReactElement; align?: 'start' | 'end'; className?: string; children: ReactNode };

export function Menu({ trigger, align = 'end', className, children }: MenuProps) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger as ReactElement<Record<string, unknown>>} />
      <Base.Portal container={popups()}>
        <Base.Positioner align={align} sideOffset={4} className="z-50">
          <Base.Popup
            className={cn(
              'max-h-[min(24rem,var(--available-height))] min-w-44 max-w-80 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-pop outline-none transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0',
              className,
            )}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export function ActionsMenu({ children }: { children: ReactNode }) {
  return <Menu trigger={<IconButton label="Actions" icon={<MoreHorizontal />} className="size-7" />}>{children}</Menu>;
}

const itemClass =
  'flex min-h-8 w-full items-center gap-2 rounded-md px-2 py-1 text-left outline-none select-none data-highlighted:bg-hover [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-faint';

type ItemProps = {
  onClick?: () => void;
  icon?: ReactNode;
  danger?: boolean;
  needs?: Permission;
  disabledReason?: string | undefined;
  /** A link instead of a button. */
  render?: ReactElement;
  children: ReactNode;
};

export function MenuItem({ onClick, icon, danger, needs, disabledReason, render, children }: ItemProps) {
  const access = useAccess();
  const reason = disabledReason ?? (needs && access.reason(needs));
  return (
    <Base.Item
      onClick={onClick}
      disabled={reason !== undefined}
      {...(render && { render: render as ReactElement<Record<string, unknown>> })}
      className={cn(itemClass, danger && 'text-danger [&_svg]:text-danger', reason && 'text-faint')}
    >
      {icon}
      <span className="min-w-0">
        {children}
        {reason && <span className="block text-xs">{reason}</span>}
      </span>
    </Base.Item>
  );
}

export function MenuSeparator() {
  return <Base.Separator className="-mx-1 my-1 h-px bg-line" />;
}

type StandardItem = Pick<ItemProps, 'onClick' | 'needs' | 'disabledReason'>;

export function EditItem(props: StandardItem) {
  return (
    <MenuItem icon={<Pencil />} {...props}>
      Edit
    </MenuItem>
  );
}

export function RotateItem(props: StandardItem) {
  return (
    <MenuItem icon={<RefreshCw />} {...props}>
      Rotate
    </MenuItem>
  );
}

type EnableProps = { isEnabled: boolean; needs: Permission; onChange: (isEnabled: boolean) => void };

export function EnableItem({ isEnabled, needs, onChange }: EnableProps) {
  return (
    <MenuItem icon={isEnabled ? <CirclePause /> : <CirclePlay />} needs={needs} onClick={() => onChange(!isEnabled)}>
      {isEnabled ? 'Disable' : 'Enable'}
    </MenuItem>
  );
}

/** The last item of a menu. */
export function DeleteItem({ onClick, needs = 'admin' }: { onClick: () => void; needs?: Permission }) {
  return (
    <>
      <MenuSeparator />
      <MenuItem icon={<Trash2 />} danger needs={needs} onClick={onClick}>
        Delete
      </MenuItem>
    </>
  );
}

/** One of several: a mark at the chosen one. */
export function MenuChoice({
  value,
  options,
  onChange,
}: {
  value: string;
  options: { value: string; label: string; icon?: ReactNode }[];
  onChange: (value: string) => void;
}) {
  return (
    <Base.RadioGroup value={value} onValueChange={onChange}>
      {options.map((option) => (
        <Base.RadioItem key={option.value} value={option.value} closeOnClick className={itemClass}>
          {option.icon}
          <span className="flex-1">{option.label}</span>
          <Base.RadioItemIndicator className="text-accent [&_svg]:text-accent">
            <Check />
          </Base.RadioItemIndicator>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}
