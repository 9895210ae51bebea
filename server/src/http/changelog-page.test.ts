import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderChangelog } from './changelog-page.ts';

test('headings, lists over several lines, code and links become HTML, and everything else is text', () => {
  const markdown = `# Changelog

After [Keep a Changelog](https://keepachangelog.com).

## 1.0.0

- First \`GET /a\`, over
  two lines ([docs/a.md](docs/a.md)).
- <b>Second</b>
`;
  assert.equal(
    renderChangelog(markdown).markup,
    `<h1>Changelog</h1>
<p>After <a href="https://keepachangelog.com">Keep a Changelog</a>.</p>
<h2>1.0.0</h2>
<ul>
<li>First <code>GET /a</code>, over two lines (docs/a.md).</li>
<li>&lt;b&gt;Second&lt;/b&gt;</li>
</ul>
`,
  );
});
