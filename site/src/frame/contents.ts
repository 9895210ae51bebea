// Marks the heading that is being read in "On this page".

/** Below the bar, from the top of the window. */
const READING_LINE_PX = 120;

export function followReading(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('nav.on-this-page a')];
  const headings = links.flatMap((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))) ?? []);
  if (headings.length === 0) return;
  const update = () => {
    const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    const read = headings.findLastIndex((heading) => heading.getBoundingClientRect().top <= READING_LINE_PX);
    const current = isAtEnd ? headings.length - 1 : read;
    for (const [i, link] of links.entries()) link.toggleAttribute('data-current', i === current);
  };
  update();
  addEventListener('scroll', update, { passive: true });
}
