// The button that changes between light and dark. It is the same choice as in the dashboard, and theme.js applies it before the first
// paint.

import { find } from './find.ts';

const KEY = 'toolgate-theme';

export function listenToTheme(): void {
  const root = document.documentElement;
  const button = find('change-theme');
  const describe = () =>
    button.setAttribute('aria-label', root.dataset.theme === 'dark' ? 'Light theme' : 'Dark theme');
  describe();
  button.addEventListener('click', () => {
    const theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
    root.dataset.theme = theme;
    describe();
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // Storage is blocked: the choice lasts until the page is left.
    }
  });
}
