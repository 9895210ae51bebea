// Follows every link of the documentation site, from its first page on.

export type SitePage = { status: number; type: string; text: string };
export type ReadSite = (path: string) => Promise<SitePage>;

/** Scalar draws the API reference, and its anchors, in the browser. */
const DRAWN = '/docs/api';

/** Everything that was read, by path; and what leads nowhere: `page -> address`. */
export async function followLinks(read: ReadSite): Promise<{ pages: Map<string, SitePage>; broken: string[] }> {
  const pages = new Map<string, SitePage>();
  const broken: string[] = [];
  const links: [from: string, to: string][] = [
    ['', '/docs'],
    ['', '/llms.txt'],
  ];
  for (const [from, to] of links) {
    const [path = '', anchor] = to.split('#');
    const known = pages.get(path);
    const page = known ?? (await read(path));
    pages.set(path, page);
    if (page.status !== 200 || !hasAnchor(pages, path, anchor)) broken.push(`${from} -> ${to}`);
    if (known === undefined)
      for (const link of linksOf(page))
        if (!/^(https?|mailto|data):/.test(link)) links.push([path, link.startsWith('#') ? path + link : link]);
  }
  return { pages, broken };
}

/** The Markdown of a page has the headings of the page, which is always read before. */
function hasAnchor(pages: Map<string, SitePage>, path: string, anchor: string | undefined): boolean {
  if (anchor === undefined || path === DRAWN) return true;
  return pages.get(path.replace(/\.md$/, ''))?.text.includes(` id="${decodeURIComponent(anchor)}"`) ?? false;
}

function linksOf({ type, text }: SitePage): string[] {
  const find = (pattern: RegExp, content = text) => [...content.matchAll(pattern)].map(([, link = '']) => link);
  if (type.startsWith('text/html')) return find(/ (?:href|src|data-search)="([^"]+)"/g);
  if (type.startsWith('text/css')) return find(/url\("?(\/[^")]+)/g);
  if (!/^text\/(markdown|plain)/.test(type)) return [];
  const prose = text.replace(/^( *)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ *\2 *$/gm, '').replace(/`[^`\n]*`/g, '');
  return find(/\]\(([^()\s]+)\)/g, prose);
}
