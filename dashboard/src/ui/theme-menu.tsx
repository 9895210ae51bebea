// The "Theme" menu.

import { type LucideIcon, Monitor, Moon, Sun } from 'lucide-react';
import { IconButton } from './button.tsx';
import { Menu, MenuChoice } from './menu.tsx';
import { chooseTheme, type Theme, useTheme } from './theme.ts';

/** The palette offers them too. */
export const themes: { value: Theme; label: string; icon: LucideIcon }[] = [
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
  { value: 'system', label: 'System', icon: Monitor },
];

export function ThemeMenu() {
  const choice = useTheme();
  const options = themes.map(({ icon: Icon, ...theme }) => ({ ...theme, icon: <Icon /> }));
  const icon = options.find(({ value }) => value === choice)?.icon;
  return (
    <Menu trigger={<IconButton label="Theme" icon={icon} />}>
      <MenuChoice value={choice} options={options} onChange={(next) => chooseTheme(next as Theme)} />
    </Menu>
  );
}
