// Where the links of a Markdown file lead on the site. A page links to other pages, to pictures, and to files of the repository,
// which are pages too (source-page.ts).

import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { pageOfFile, root } from './contents.ts';

/** Without dots: the folder of a page must not look like a file. */
export const sourcePath = (file: string): string => `/docs/files/${file.replaceAll('.', '-')}`;
export const picturePath = (file: string): string => `/docs/${file.replace(/^docs\//, '')}`;

/** The targets that the site has to contain because a page uses them. */
export type Used = { pictures: Set<string>; sources: Set<string> };

export type Links = {
  /** The URL on the site. */
  link(href: string): string;
  picture(source: string): { address: string; file: string };
};

/** A link that leads nowhere stops the build. */
export function linksFrom(file: string, used: Used): Links {
  const find = (href: string): { target: string; anchor: string } => {
    const [path = '', anchor] = href.split('#');
    const target = posix.join(posix.dirname(file), path).replace(/\/$/, '');
    if (!existsSync(join(root, target))) throw new Error(`${file} links to ${href}, which does not exist`);
    return { target, anchor: anchor === undefined ? '' : `#${anchor}` };
  };
  return {
    link(href) {
      if (/^(https?:|mailto:|#)/.test(href)) return href;
      const { target, anchor } = find(href);
      const page = pageOfFile(target);
      if (page) return page.path + anchor;
      if (/\.(png|svg)$/.test(target)) {
        used.pictures.add(target);
        return picturePath(target);
      }
      used.sources.add(target);
      return sourcePath(target) + anchor;
    },
    picture(source) {
      const { target } = find(source);
      used.pictures.add(target);
      return { address: picturePath(target), file: target };
    },
  };
}
