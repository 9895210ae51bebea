import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Links } from '../generate/links.ts';
import { anchorOf, renderMarkdown } from '../generate/markdown.ts';
import { copyMarkdown } from '../generate/markdown-copy.ts';

const links: Links = {
  link: (href) => (/^(https:|#)/.test(href) ? href : `/docs/${href.replace('.md', '')}`),
  picture: () => ({ address: '/docs/images/concepts.svg', file: 'docs/images/concepts.svg' }),
};
const render = (text: string) => renderMarkdown(text, links);

test('headings are links to themselves, a name that is used again gets a number, and a link in one is text', () => {
  const { markup, headings } = render('# A\n\n## `b` [c](d.md)\n\n## `b` c\n');
  assert.deepEqual(
    headings.map(({ level, text, anchor }) => [level, text, anchor]),
    [
      [1, 'A', 'a'],
      [2, 'b c', 'b-c'],
      [2, 'b c', 'b-c-1'],
    ],
  );
  assert.match(markup, /<h2 id="b-c"><a class="anchor" href="#b-c"><code>b<\/code> c<\/a><\/h2>/);
});

test('links lead to pages, code is marked by classes, and HTML in a file is text', () => {
  const { markup } = render('[a](b.md#x) <script>alert(1)</script>\n\n```sh server\necho "<b>"\n```\n');
  assert.match(markup, /<a href="\/docs\/b#x">a<\/a> &lt;script&gt;/);
  assert.match(
    markup,
    /<span class="hljs-built_in">echo<\/span> <span class="hljs-string">&quot;&lt;b&gt;&quot;<\/span>/,
  );
  assert.doesNotMatch(markup, /<script|style=/);
});

test('a picture has a size and a text, and one for each theme if the file has two', () => {
  const { markup } = render(
    '<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="d.svg">\n  <img src="l.svg" alt="Both">\n</picture>\n\n![One](o.svg)\n',
  );
  assert.equal(
    markup.match(
      /<img src="\/docs\/images\/concepts.svg" alt="Both" class="only-(light|dark)" width="\d+" height="\d+" loading="lazy">/g,
    )?.length,
    2,
  );
  assert.match(markup, /alt="One" width/);
});

test('the search knows the text below each heading without its code, which it only searches', () => {
  const { sections } = render(
    '# A\n\nOne `two` [three](x.md).\n\n- four\n- five\n\n```sh\nsix\n```\n\n## B\n\n| c | d |\n|---|---|\n| e | f |\n',
  );
  assert.deepEqual(
    sections.map(({ text, code }) => [text.replace(/\s+/g, ' ').trim(), code.trim()]),
    [
      ['One two three. four five', 'six'],
      ['c d e f', ''],
    ],
  );
});

test('the Markdown of a page has addresses of the site, and its code is as it was', () => {
  const text = '[a](b.md#x) `[c](d.md)` ![p](q.svg)\n\n```md\n[e](f.md)\n```\n';
  const copied = copyMarkdown(text, links, (address) => address.replace(/(#|$)/, '.md$1'));
  assert.equal(copied, '[a](/docs/b.md#x) `[c](d.md)` ![p](/docs/images/concepts.svg)\n\n```md\n[e](f.md)\n```\n');
});

test('the anchor of a heading is the one that links in the repository use', () => {
  assert.equal(anchorOf('`POST /a`: what it does, and why'), 'post-a-what-it-does-and-why');
});
