// The style of the pages, in the colors and fonts of the dashboard. It is part of each page and allowed by its hash. The fonts
// are files of the dashboard: without it the page uses those of the system.

import { hash } from 'node:crypto';
import { colors } from './colors.ts';

const variables = Object.entries(colors).map(([name, [light, dark]]) => `--${name}: light-dark(${light}, ${dark});`);

export const style = `
@font-face {
  font-family: "Inter Variable"; font-weight: 100 900; font-display: swap;
  src: url("/fonts/inter-latin-wght-normal.woff2") format("woff2");
}
@font-face {
  font-family: "Geist Mono Variable"; font-weight: 100 900; font-display: swap;
  src: url("/fonts/geist-mono-latin-wght-normal.woff2") format("woff2");
}
:root {
  color-scheme: light dark;
  ${variables.join('\n  ')}
  --sans: "Inter Variable", ui-sans-serif, system-ui, sans-serif;
  --mono: "Geist Mono Variable", ui-monospace, monospace;
}
[data-theme="light"] { color-scheme: light; }
[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; padding: 24px 16px;
  display: grid; grid-template-columns: minmax(0, 1fr); place-items: center;
  background: var(--canvas); color: var(--ink);
  font: 14px/1.5 var(--sans); font-feature-settings: "cv05", "cv11", "ss03"; letter-spacing: -0.003em;
  -webkit-font-smoothing: antialiased;
}
main {
  width: 100%; max-width: 400px; padding: 32px; background: var(--surface);
  border: 1px solid var(--line); border-radius: 12px; overflow-wrap: anywhere;
}
h1 { margin: 0 0 8px; font-size: 20px; line-height: 1.3; letter-spacing: -0.015em; font-weight: 600; text-wrap: balance; }
p, li { text-wrap: pretty; }
p { margin: 0 0 16px; }
h2 { margin: 24px 0 8px; font-size: 14px; font-weight: 600; }
ul { margin: 0 0 24px; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 8px; }
li { padding: 10px 14px; }
li + li { border-top: 1px solid var(--line); }
.muted { color: var(--muted); }
.small { font-size: 12px; }
.notice {
  padding: 10px 14px; margin: 0 0 24px; background: var(--warning-soft);
  border: 1px solid var(--warning); border-radius: 8px;
}
form { display: grid; gap: 8px; margin: 24px 0 0; }
form[hidden] { display: none; }
form[enctype] p { margin: 0; }
form[enctype] label { font-weight: 600; }
input[type="file"] { width: 100%; min-height: 44px; font: inherit; color: inherit; }
input[type="file"]::file-selector-button { min-height: 44px; margin-right: 12px; padding: 8px 16px; border: 1px solid var(--line-strong); border-radius: 6px; background: var(--surface); color: inherit; font: inherit; cursor: pointer; }
progress { width: 100%; accent-color: var(--accent); }
form:has(.quiet) + footer { margin-top: 12px; }
button {
  min-height: 44px; padding: 8px 16px; border: 1px solid var(--line-strong); border-radius: 6px; cursor: pointer;
  background: var(--surface); color: inherit; font: inherit; font-weight: 500; overflow-wrap: anywhere;
}
button:hover { background: var(--hover); }
button.primary { background: var(--solid); border-color: var(--solid); color: var(--on-solid); }
button.primary:hover { background: var(--solid-hover); border-color: var(--solid-hover); }
button.quiet { border-color: transparent; background: transparent; color: var(--muted); }
button.quiet:hover { background: var(--hover); color: var(--ink); }
fieldset { margin: 0 0 16px; padding: 0; border: 0; min-width: 0; }
legend { padding: 0; font-weight: 600; }
fieldset > ul { margin: 8px 0 0; }
fieldset label { display: flex; gap: 10px; align-items: baseline; min-height: 24px; font-weight: 500; cursor: pointer; }
fieldset > ul > li > :not(label) { margin-left: 26px; }
fieldset p { margin: 0; }
input[type="checkbox"] { flex: none; width: 16px; height: 16px; margin: 0; accent-color: var(--solid); position: relative; top: 2px; }
.presets { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; margin: 8px 0 0; }
.presets button { min-height: 32px; padding: 4px 10px; }
details { margin-top: 6px; }
summary { width: fit-content; min-height: 24px; color: var(--muted); font-size: 12px; line-height: 24px; cursor: pointer; }
summary:hover { color: var(--ink); }
.tools { margin: 4px 0 0; border: 0; }
.tools li { padding: 3px 0; border: 0; }
.new { padding: 0 6px; border: 1px solid var(--warning); border-radius: 4px; background: var(--warning-soft); font-size: 11px; font-weight: 600; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
:is(button, a, input, summary):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
footer { margin: 24px 0 0; padding: 16px 0 0; border-top: 1px solid var(--line); }
footer p { margin: 0; }
article { padding: 16px 0; border-top: 1px solid var(--line); scroll-margin-top: 16px; }
article:target { margin: 0 -16px; padding: 16px; background: var(--warning-soft); border: 1px solid var(--warning); border-radius: 8px; }
h3 { margin: 0 0 4px; font-size: 14px; font-weight: 600; }
article p { margin: 0 0 8px; }
dl { margin: 0; display: grid; grid-template-columns: 6.5em 1fr; gap: 4px 16px; }
dt { color: var(--muted); }
dd { margin: 0; }
a { color: var(--accent); text-underline-offset: 3px; }
main > :last-child { margin-bottom: 0; }
code { font: 0.93em/1.5 var(--mono); font-feature-settings: normal; }
@media (max-width: 480px) {
  dl { grid-template-columns: 1fr; }
  dd { margin: 0 0 8px; }
  body { padding: 0; place-items: stretch; background: var(--surface); }
  main { max-width: none; padding: 24px 20px; border: 0; border-radius: 0; }
}
`;

/** For Content-Security-Policy. */
export const styleSource = `'sha256-${hash('sha256', style, 'base64')}'`;
