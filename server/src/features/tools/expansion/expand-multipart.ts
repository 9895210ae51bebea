// The arguments as multipart/form-data (RFC 7578), with names escaped as the HTML standard says: no argument can add a part or a header.

import { isJsonMediaType } from '@toolgate/contract/custom-tools/body-format.ts';
import type { Problem } from '../../../engines/json-schema/problem.ts';
import { partOfReserved, shortName } from './expand-form.ts';
import type { BodyParts, SentFile, SentFiles } from './sent-file.ts';

/** The head of a part is repeated for each value of a list. */
const MAX_LENGTH = 4 * 2 ** 20;

/** Several values have the same name. */
type Part = { content_type: string | undefined; values: string[] };

type Options = {
  contentTypeOf(argument: string): string | undefined;
  /** It must be unpredictable: it must not occur in a value. */
  boundary: string;
  files: SentFiles;
};

/** Parts only if there are files. Adds to `problems` what is wrong with the arguments; then the result is of no use. */
export function expandMultipart(
  given: Readonly<Record<string, unknown>>,
  { contentTypeOf, boundary, files }: Options,
  problems: Problem[],
): string | BodyParts {
  const owners = new Map<string, string>();
  const sent: (string | SentFile)[] = [];
  let [body, length] = ['', 0];
  for (const [argument, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    const name = escapeName(argument);
    const file = files.get(argument);
    const part = file ? partOfFile(file, contentTypeOf(argument)) : partOf(value, contentTypeOf(argument));
    const message = partOfReserved(argument) ?? nameProblem(argument, owners.get(name)) ?? valueProblem(part);
    if (message !== null) {
      problems.push({ field: shortName(argument), message });
      continue;
    }
    owners.set(name, argument);
    const type = part.content_type === undefined ? '' : `Content-Type: ${part.content_type}\r\n`;
    const file_name = file ? `; filename="${escapeName(file.name)}"` : '';
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file_name}\r\n${type}\r\n`;
    for (const text of part.values) {
      length += head.length + text.length;
      if (length > MAX_LENGTH) {
        problems.push({ field: shortName(argument), message: `makes the body longer than ${MAX_LENGTH} characters` });
        return body;
      }
      body += `${head}${text}`;
      if (file) {
        sent.push(body, file);
        body = '';
      }
      body += '\r\n';
    }
  }
  const end = `${body}--${boundary}--\r\n`;
  return sent.length === 0 ? end : [...sent, end];
}

/** Its bytes follow on its head. */
const partOfFile = (file: SentFile, content_type = file.content_type): Part => ({ content_type, values: [''] });

/** HTML, "multipart/form-data encoding algorithm": line breaks become CR LF and are escaped, and so are quotes. */
const escapeName = (name: string) => name.replace(/\r\n?|\n/g, '%0D%0A').replaceAll('"', '%22');

function nameProblem(argument: string, owner: string | undefined): string | null {
  if (argument.includes('\0') || !argument.isWellFormed()) return 'must have a name without NUL and lone surrogates';
  return owner === undefined ? null : `has the name of the part of ${shortName(owner)}`;
}

const valueProblem = ({ values }: Part) =>
  values.every((text) => text.isWellFormed()) ? null : 'must be well-formed text';

function partOf(value: unknown, content_type: string | undefined): Part {
  if (typeof value !== 'object') return { content_type, values: [String(value)] };
  const isList = Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null);
  if (isList && !(content_type && isJsonMediaType(content_type)))
    return { content_type, values: value.filter((item) => item !== null).map(String) };
  return { content_type: content_type ?? 'application/json', values: [JSON.stringify(value)] };
}
