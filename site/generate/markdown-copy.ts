// Each page as Markdown for models, with links to the Markdown of other pages, and llms.txt, the list of them.

import { sections } from './contents.ts';
import type { Links } from './links.ts';

const FENCE = /^( *)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ *\2 *$/gm;
const CODE = /`[^`\n]*`/g;
const TARGET = /(\]\()([^()\s]+)(?=\))|(\b(?:src|srcset)=")([^"]+)(?=")/g;

/** The text of the file with URLs of the site. Code stays as it is. */
export function copyMarkdown(text: string, links: Links, toMarkdown: (path: string) => string): string {
  const resolve = (start: string, target: string) => {
    const isPicture = /\.(png|svg)$/.test(target) && !/^https?:/.test(target);
    return start + (isPicture ? links.picture(target).address : toMarkdown(links.link(target)));
  };
  const inProse = (prose: string) =>
    outside(prose, CODE, (part) =>
      part.replace(TARGET, (all, link, href, attribute, source) =>
        href !== undefined ? resolve(link, href) : source !== undefined ? resolve(attribute, source) : all,
      ),
    );
  return outside(text, FENCE, inProse);
}

/** Changes the parts of a text that the pattern does not match. */
function outside(text: string, pattern: RegExp, change: (part: string) => string): string {
  let result = '';
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    result += change(text.slice(end, match.index)) + match[0];
    end = match.index + match[0].length;
  }
  return result + change(text.slice(end));
}

/** https://llmstxt.org */
export function listForModels(): string {
  const parts = sections.map(({ title, pages }) => {
    const lines = pages.filter(({ file }) => file).map((page) => `- [${page.title}](${page.path}.md)`);
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  return `# toolgate

> A self-hosted gateway that lets AI clients (MCP) call your existing API: as the right user, under your rules, on your servers.

To get a page of this documentation as Markdown, add \`.md\` to its URL. The API is described by [OpenAPI 3.1](/api/v1/openapi.json).

${parts.join('\n')}`;
}
