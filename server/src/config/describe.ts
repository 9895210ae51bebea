// The table of settings as text: for --help, and as the Markdown table of docs/reference/settings.md.

import { nodeVariables, settingRows } from './table.ts';

const rows = [
  ...settingRows.map(([name, { fallback, default_text, description }]) => ({
    name,
    default_text: default_text ?? (fallback ? `\`${fallback}\`` : 'none'),
    description,
  })),
  ...Object.entries(nodeVariables).map(([name, description]) => ({ name, default_text: 'none', description })),
];

/** Two lines for each setting: a description can be longer than a terminal is wide beside the name. */
export function settingsHelp(): string {
  const lines = rows.map(
    ({ name, default_text, description }) => `  ${name} (default: ${default_text})\n      ${description}\n`,
  );
  // Only the text of a Markdown link.
  return lines
    .join('')
    .replaceAll('`', '')
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');
}

export function settingsMarkdown(): string {
  const lines = rows.map(
    ({ name, default_text, description }) => `| \`${name}\` | ${default_text} | ${description} |\n`,
  );
  return `| Setting | Default | Meaning |\n|---|---|---|\n${lines.join('')}`;
}
