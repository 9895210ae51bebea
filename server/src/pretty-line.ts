// A log line for a person at a terminal: `12:00:00.000 WARN  message key=value`, and the stack of an error below it.
// util.styleText colours only if stdout is a terminal that shows colours and NO_COLOR is not set.

import { styleText } from 'node:util';

type LoggedError = { name?: string; code?: string; message: string; stack?: string; cause?: LoggedError };
type LoggedLine = { level: string; time: string; msg?: string; err?: LoggedError; [field: string]: unknown };

const colours = {
  debug: 'gray',
  info: 'green',
  warn: 'yellow',
  error: 'red',
  fatal: 'magenta',
} as const;

/** `json` is one line as pino writes it. */
export function prettyLine(json: string): string {
  const { level, time, msg = '', err, ...fields } = JSON.parse(json) as LoggedLine;
  const parts = [
    styleText('gray', time.slice(11, 23)),
    styleText(colours[level as keyof typeof colours] ?? 'white', level.toUpperCase().padEnd(5)),
    escapeControls(msg),
    ...Object.entries(fields)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `${styleText('gray', `${escapeControls(name)}=`)}${showValue(value)}`),
  ];
  return `${parts.join(' ')}\n${err ? describeError(err) : ''}`;
}

function showValue(value: unknown): string {
  if (typeof value === 'string' && /^[^\s"=]+$/.test(value)) return escapeControls(value);
  return escapeControls(JSON.stringify(value));
}

/** Indented, so that no line of it can look like a log line. */
function describeError({ name, message, stack, cause }: LoggedError): string {
  const lines = (stack ?? `${name ?? 'Error'}: ${message}`).split('\n');
  const text = lines.map((line) => `    ${styleText('gray', escapeControls(line))}\n`).join('');
  return cause ? `${text}    caused by\n${describeError(cause)}` : text;
}

/** Control and formatting characters in a logged value could forge a line or change what the terminal shows. */
function escapeControls(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u${(character.codePointAt(0) as number).toString(16).padStart(4, '0')}`,
  );
}
