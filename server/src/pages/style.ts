// The style of the pages. It is part of each page and allowed by its hash, so that a page needs no second request.

import { hash } from 'node:crypto';

export const style = `
:root {
  color-scheme: light dark;
  --page: #f4f5f7; --card: #fff; --text: #14171c; --muted: #59606b; --line: #d9dde3; --edge: #7e8794;
  --accent: #1d4ed8; --on-accent: #fff; --notice: #fff7e6; --notice-line: #e0a93b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f1115; --card: #181b21; --text: #eceef2; --muted: #a3abb8; --line: #313742; --edge: #737d8c;
    --accent: #8ab4ff; --on-accent: #0c1424; --notice: #2a2415; --notice-line: #8f6d24;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; padding: 24px 16px; display: grid; place-items: center;
  background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
main {
  width: 100%; max-width: 440px; padding: 32px; background: var(--card);
  border: 1px solid var(--line); border-radius: 16px; overflow-wrap: anywhere;
}
main.wide { max-width: 820px; }
h1 { margin: 0 0 8px; font-size: 24px; line-height: 1.25; letter-spacing: -0.01em; text-wrap: balance; }
p, li { text-wrap: pretty; }
p { margin: 0 0 16px; }
h2 { margin: 24px 0 8px; font-size: 16px; }
ul { margin: 0 0 24px; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 10px; }
li { padding: 12px 16px; }
li + li { border-top: 1px solid var(--line); }
.muted { color: var(--muted); }
.small { font-size: 14px; }
.notice {
  padding: 12px 16px; margin: 0 0 24px; background: var(--notice);
  border: 1px solid var(--notice-line); border-radius: 10px; font-size: 14px;
}
form { display: grid; gap: 12px; margin: 24px 0 0; }
form:has(.quiet) { gap: 8px; }
form:has(.quiet) + footer { margin-top: 12px; }
button {
  min-height: 48px; padding: 10px 16px; border: 1px solid var(--edge); border-radius: 10px; cursor: pointer;
  background: transparent; color: inherit; font: inherit; font-weight: 600; overflow-wrap: anywhere;
}
button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button.quiet { border-color: transparent; color: var(--muted); }
button:hover { text-decoration: underline; text-underline-offset: 3px; }
button:focus-visible, a:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
footer { margin: 24px 0 0; padding: 16px 0 0; border-top: 1px solid var(--line); }
footer p { margin: 0; }
article { padding: 16px 0; border-top: 1px solid var(--line); scroll-margin-top: 16px; }
article:target { margin: 0 -16px; padding: 16px; background: var(--notice); border: 1px solid var(--notice-line); border-radius: 10px; }
h3 { margin: 0 0 4px; font-size: 16px; }
article p { margin: 0 0 8px; }
dl { margin: 0; display: grid; grid-template-columns: 6.5em 1fr; gap: 4px 16px; }
dt { color: var(--muted); }
dd { margin: 0; }
a { color: var(--accent); text-underline-offset: 3px; }
main > :last-child { margin-bottom: 0; }
code { font: 13px/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
@media (max-width: 480px) {
  dl { grid-template-columns: 1fr; }
  dd { margin: 0 0 8px; }
  body { padding: 0; place-items: stretch; }
  main { max-width: none; padding: 24px 20px; border: 0; border-radius: 0; }
}
`;

/** For Content-Security-Policy. */
export const styleSource = `'sha256-${hash('sha256', style, 'base64')}'`;
