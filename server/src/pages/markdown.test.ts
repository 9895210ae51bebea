import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anchorOf, renderMarkdown } from './markdown.ts';

test('headings, lists, code and links become HTML, and HTML in the file is text', () => {
  const markdown = `# Changelog

After [Keep a Changelog](https://keepachangelog.com).

## 1.0.0

- First \`GET /a\` ([docs/a.md](docs/a.md), [b](b.md#x)).
- <b>Second</b> & "third"
`;
  const { title, content } = renderMarkdown(markdown, (address) => (address === 'b.md#x' ? '/docs/b#x' : null));
  assert.equal(title, 'Changelog');
  assert.equal(
    content.markup,
    `<h1 id="changelog">Changelog</h1>
<p>After <a href="https://keepachangelog.com">Keep a Changelog</a>.</p>
<h2 id="100">1.0.0</h2>
<ul>
<li>First <code>GET /a</code> (docs/a.md, <a href="/docs/b#x">b</a>).</li>
<li>&lt;b&gt;Second&lt;/b&gt; &amp; &quot;third&quot;</li>
</ul>
`,
  );
});

test('an image, a block of HTML, a diagram and a link with a script become nothing that a browser loads or runs', () => {
  const markdown = `<picture>
  <img src="x.png" onerror="alert(1)">
</picture>

![alt](x.png) [a](javascript:alert(1))

\`\`\`mermaid
graph
\`\`\`

\`\`\`sh server
echo '<script>'
echo 2
\`\`\`
`;
  const { content } = renderMarkdown(markdown, () => null);
  assert.equal(
    content.markup,
    `<p> a</p>\n<pre tabindex="0"><code>echo &#39;&lt;script&gt;&#39;\necho 2</code></pre>\n`,
  );
});

test('the anchor of a heading is the one that links in the repository use', () => {
  assert.equal(anchorOf('`POST /a`: what it does, and why'), 'post-a-what-it-does-and-why');
});
