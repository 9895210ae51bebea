// A log line for a person at a terminal: `12:00:00.000 WARN  message key=value`, and the stack of an error below it.
// util.styleText colors only if stdout is a terminal that shows colors and NO_COLOR is not set.

import { styleText } from 'node:util';

type LoggedError = { name?: string; code?: string; message: string; stack?: string; cause?: LoggedError };
type LoggedLine = { level: string; time: string; msg?: string; err?: LoggedError; [field: string]: unknown };

const colors = {
  debug: 'gray',
  info: 'green',
  warn: 'yellow',
  error: 'red',
  fatal: 'magenta',
} as const;

/** `json` is one line as pino writes it. */
export function prettyLine(json: string): string {
  const { level, time, msg = '', err, ...given } = JSON.parse(json) as LoggedLine;
  const { text, fields } = msg === 'request' ? describeRequest(given) : { text: escapeControls(msg), fields: given };
  const parts = [
    styleText('gray', localTime(time)),
    styleText(colors[level as keyof typeof colors] ?? 'white', level.toUpperCase().padEnd(5)),
    text,
    ...Object.entries(fields)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `${styleText('gray', `${escapeControls(name)}=`)}${showValue(value)}`),
  ];
  return `${parts.join(' ')}\n${err ? describeError(err) : ''}`;
}

/** `GET /api/v1/projects 200 12 ms`. The id of the request is needed only after something failed, so it is last. */
function describeRequest({ method, route, status, duration_ms, request_id, ...more }: Record<string, unknown>) {
  const code = Number(status);
  const color = code >= 500 ? 'red' : code >= 400 ? 'yellow' : 'green';
  const request = escapeControls(`${method} ${route ?? '(no route)'}`);
  const text = `${request} ${styleText(color, `${code}`)} ${Math.round(Number(duration_ms))} ms`;
  return { text, fields: { ...more, request_id } };
}

/** The log's time is UTC; the person at the terminal compares it with a local clock. */
function localTime(iso: string): string {
  const local = new Date(iso);
  const [hours, minutes, seconds] = [local.getHours(), local.getMinutes(), local.getSeconds()].map(twoDigits);
  return `${hours}:${minutes}:${seconds}.${iso.slice(20, 23)}`;
}

const twoDigits = (value: number) => String(value).padStart(2, '0');

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
