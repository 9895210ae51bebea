// The list of all pages: beside the page, or behind a button on a narrow screen.

import { find } from './find.ts';

export function listenToMenu(): void {
  const button = find('open-menu');
  const pages = find('site-pages');
  const setOpen = (isOpen: boolean) => {
    button.setAttribute('aria-expanded', String(isOpen));
    pages.classList.toggle('open', isOpen);
    if (isOpen) showCurrent(pages);
  };
  button.addEventListener('click', () => setOpen(button.getAttribute('aria-expanded') !== 'true'));
  // An entry of the same page, such as an operation of the API.
  pages.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a')) setOpen(false);
  });
  addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || button.getAttribute('aria-expanded') !== 'true') return;
    setOpen(false);
    button.focus();
  });
  showCurrent(pages);
}

/** Without moving the page itself. */
function showCurrent(pages: HTMLElement): void {
  const current = pages.querySelector<HTMLElement>('[aria-current]');
  if (current) pages.scrollTop = current.offsetTop - pages.clientHeight / 3;
}
