// The "Theme" menu. public/theme.js applies the stored choice before the first paint.

import { Monitor, Moon, Sun } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from './button.tsx';
import { Menu, MenuChoice } from './menu.tsx';

const KEY = 'toolgate-theme';
const system = matchMedia('(prefers-color-scheme: dark)');

function readChoice(): string {
  try {
    return localStorage.getItem(KEY) ?? 'system';
  } catch {
    return 'system'; // storage is blocked
  }
}

function apply(choice: string): void {
  const isDark = choice === 'dark' || (choice === 'system' && system.matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
}

export function ThemeMenu() {
  const [choice, setChoice] = useState(readChoice);
  useEffect(() => {
    const follow = () => apply(choice);
    system.addEventListener('change', follow);
    return () => system.removeEventListener('change', follow);
  }, [choice]);
  const choose = (next: string) => {
    setChoice(next);
    apply(next);
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // Storage is blocked: the choice lasts until the page is loaded again.
    }
  };
  const options = [
    { value: 'light', label: 'Light', icon: <Sun /> },
    { value: 'dark', label: 'Dark', icon: <Moon /> },
    { value: 'system', label: 'System', icon: <Monitor /> },
  ];
  const icon = options.find(({ value }) => value === choice)?.icon;
  return (
    <Menu trigger={<IconButton label="Theme" icon={icon} />}>
      <MenuChoice value={choice} options={options} onChange={choose} />
    </Menu>
  );
}
