// Runs before the first paint. The choice of the "Theme" menu, or the colors of the system; src/ui/theme.ts changes it later.
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem('toolgate-theme');
  } catch {
    // The browser blocks storage: follow the system.
  }
  const isDark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
})();
