// The pictures of a page. Of HTML in a file only `<picture>` and `<img>` are used; anything else is shown as text.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './contents.ts';
import { escapeText } from './escape.ts';
import type { Links } from './links.ts';

export function createPictures(links: Links) {
  const draw = (source: string, alt: string, className = '') => {
    const { address, file } = links.picture(source);
    const { width, height } = sizeOf(file);
    const size = width ? ` width="${width}" height="${height}"` : '';
    const only = className ? ` class="${className}"` : '';
    return `<img src="${escapeText(address)}" alt="${escapeText(alt)}"${only}${size} loading="lazy">`;
  };
  return {
    image: ({ href, text }: { href: string; text: string }) => draw(href, text),
    html({ text }: { text: string }): string {
      const attribute = (tag: string, name: string) =>
        new RegExp(`<${tag}\\s[^>]*\\b${name}="([^"]+)"`).exec(text)?.[1] ?? null;
      const source = attribute('img', 'src');
      if (source === null) return text.startsWith('<!--') ? '' : escapeText(text);
      const alt = attribute('img', 'alt') ?? '';
      // The media query of a <source> asks the system; the theme of the page can be another one.
      const dark = /<source\s[^>]*dark/.test(text) ? attribute('source', 'srcset') : null;
      if (dark === null) return draw(source, alt);
      return `<p>${draw(source, alt, 'only-light')}${draw(dark, alt, 'only-dark')}</p>\n`;
    },
  };
}

/** So that the text below does not move when the picture arrives. */
function sizeOf(file: string): { width?: number; height?: number } {
  const content = readFileSync(join(root, file));
  if (file.endsWith('.png')) return { width: content.readUInt32BE(16), height: content.readUInt32BE(20) };
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(content.toString()) ?? [];
  return width && height ? { width: Number(width), height: Number(height) } : {};
}
