// A button that copies the code of a block; and blocks that are wider than the page, which the keyboard can scroll.

const SHOWN_MS = 2000;

export function addCopyButtons(): void {
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => void copy(block, button));
    block.append(button);
  }
}

async function copy(block: Element, button: HTMLButtonElement): Promise<void> {
  const text = block.querySelector('code')?.textContent?.trimEnd() ?? '';
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    // The browser has no clipboard for a page without HTTPS: the text is selected instead.
    getSelection()?.selectAllChildren(block.querySelector('code') ?? block);
    button.textContent = 'Selected';
  }
  setTimeout(() => (button.textContent = 'Copy'), SHOWN_MS);
}

export function makeScrollable(): void {
  const blocks = [...document.querySelectorAll<HTMLElement>('.code pre, .table')];
  const update = () => {
    for (const block of blocks) {
      if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
      else block.removeAttribute('tabindex');
    }
  };
  update();
  addEventListener('resize', update);
}
