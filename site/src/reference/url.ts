// The URL of an operation, such as #api/tag/projects/createProject. Scalar draws the operations of a tag when the tag is opened, and
// opens none for a URL while its own list is hidden.

import { find } from '../frame/find.ts';

/** Also on a busy machine. */
const DRAWN_WITHIN_MS = 60_000;

/** Where the reader wants to go. Scalar writes into the URL what it has drawn first. */
let wanted = '';

export function followUrl(): void {
  const follow = () => void goTo(decodeURIComponent(location.hash.slice(1)));
  follow();
  addEventListener('hashchange', follow);
}

async function goTo(anchor: string): Promise<void> {
  const [tag = ''] = /^api\/tag\/[\w-]+/.exec(anchor) ?? [];
  if (tag === '') return;
  wanted = anchor;
  await waitFor(() => document.getElementById(tag));
  if (anchor !== tag && !document.getElementById(anchor))
    (await waitFor(() => document.querySelector<HTMLButtonElement>(`button.show-more[id="${tag}"]`)))?.click();
  const target = await waitFor(() => document.getElementById(anchor));
  // What is above it may still be drawn.
  if (wanted === anchor) target?.scrollIntoView();
}

/** Null if it does not come. */
function waitFor<E extends Element>(look: () => E | null | undefined): Promise<E | null> {
  return new Promise((resolve) => {
    const settle = (found: E | null) => {
      observer.disconnect();
      clearTimeout(timer);
      resolve(found);
    };
    const observer = new MutationObserver(() => {
      const found = look();
      if (found) settle(found);
    });
    const timer = setTimeout(() => settle(null), DRAWN_WITHIN_MS);
    observer.observe(find('reference'), { childList: true, subtree: true });
    const found = look();
    if (found) settle(found);
  });
}
