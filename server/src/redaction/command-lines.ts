// Credentials that other signs than `:` and `=` precede: options of a command line, parts of multipart/form-data, parameters of
// URLs, statements of SQL, and sentences.

import { REDACTED, type RedactionContext } from './context.ts';

/** `--password hunter2`, `--api-key "…"`; `-u user:password` of curl. A name is followed by its value. */
const flag = /(?<![\w-])--?([A-Za-z][\w-]{1,63})[ \t]{1,8}("[^"\r\n]*"|'[^'\r\n]*'|[^\s"'-][^\s"']*)/g;
const userFlag = /(?<![\w-])(-u|--user|--proxy-user)([ \t=]{1,8}["']?[^\s:"']{0,256}:)[^\s"']+/g;

export function redactFlags(text: string, context: RedactionContext): string {
  if (!text.startsWith('-') && !/[^\w-]-/.test(text)) return text;
  return text
    .replace(userFlag, (_, option: string, user: string) => option + user + REDACTED)
    .replace(flag, (whole, name: string, value: string) => {
      const sensitivity = context.sensitivityOf(name);
      return sensitivity?.text ? whole.slice(0, whole.length - value.length) + REDACTED : whole;
    });
}

const MAX_LINE = 512;
const MAX_HEADERS = 2_048;

/** The body of a part begins after an empty line and ends before the next boundary. */
export function redactMultipart(text: string, context: RedactionContext): string {
  let out = '';
  let done = 0;
  for (let at = text.indexOf('form-data;'); at !== -1; at = text.indexOf('form-data;', Math.max(done, at + 1))) {
    const name = /^[^\r\n]*?\bname="?([^"\r\n;]{1,128})/.exec(text.slice(at + 10, at + MAX_LINE))?.[1];
    if (name === undefined || !context.sensitivityOf(name)) continue;
    const gap = /\r?\n\r?\n/.exec(text.slice(at, at + MAX_HEADERS));
    if (!gap) continue;
    const start = at + gap.index + gap[0].length;
    const end = text.slice(start).search(/\r?\n--/);
    out += text.slice(done, start) + REDACTED;
    done = end === -1 ? text.length : start + end;
  }
  return out + text.slice(done);
}

/** A word after "is" counts only with a digit or a sign in it: "the password is required" says nothing. */
const sentence =
  /(\b(?:password|passcode|passphrase|pin|secret|token|api key)\b(?: (?:is|was|are))[ :]{1,4}["'`]?)(?=[^\s]{0,64}[\d!@#$%^&*])[^\s"'`]+/gi;
const sql = /(\b(?:identified[ \t\r\n]{1,8}by|password)[ \t\r\n]{1,8})'[^']*(?:'|$)/gi;

/** Parameters of a URL whose names mean something else elsewhere: signed URLs, keys of Google. */
const parameter = /([?&](?:(?:sig|signature|hmac)=|key=(?=[\w-]{16})))[\w%.~+/-]+/gi;

export function redactPhrases(text: string): string {
  const rest = /[?&]/.test(text) ? text.replace(parameter, `$1${REDACTED}`) : text;
  if (!/pass|pin|secret|token|key|identified/i.test(rest)) return rest;
  return rest.replace(sql, `$1'${REDACTED}'`).replace(sentence, `$1${REDACTED}`);
}
