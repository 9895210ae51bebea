// Reads a form with a file (RFC 7578) while it arrives: the fields before the file, and then the file as a stream. What comes after
// the file is not read. Memory does not grow with the file.

export type FormWithFile = {
  fields: ReadonlyMap<string, string>;
  /** Undefined if the form has none. An empty name: none was chosen. */
  file: { name: string; content_type: string | undefined; body: AsyncGenerator<Buffer> } | undefined;
};

const MAX_HEADER_BYTES = 8 * 1024;
const MAX_FIELD_BYTES = 8 * 1024;
const MAX_FIELDS = 20;
const LINE = Buffer.from('\r\n');
const HEADERS_END = Buffer.from('\r\n\r\n');

/** Throws SyntaxError for what is not such a form; `body` of the file does if it ends too early. */
export async function readForm(bytes: AsyncIterable<Uint8Array>, content_type: string): Promise<FormWithFile> {
  const delimiter = Buffer.from(`\r\n--${boundaryOf(content_type)}`);
  const source = createSource(bytes[Symbol.asyncIterator]());
  const fields = new Map<string, string>();
  await source.read(delimiter, MAX_HEADER_BYTES);
  while (await isPart(source)) {
    const headers = (await source.read(HEADERS_END, MAX_HEADER_BYTES)).toString();
    const { name, file_name } = dispositionOf(headers);
    if (file_name !== undefined) {
      const type = /^content-type:[ \t]*(.*?)[ \t]*$/im.exec(headers)?.[1];
      return { fields, file: { name: file_name, content_type: type, body: source.until(delimiter) } };
    }
    if (fields.size === MAX_FIELDS) throw new SyntaxError('the form has too many fields');
    fields.set(name, (await source.read(delimiter, MAX_FIELD_BYTES)).toString());
  }
  return { fields, file: undefined };
}

/** RFC 2046 5.1.1. */
function boundaryOf(content_type: string): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(content_type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw new SyntaxError('the form has no boundary');
  return boundary;
}

/** After a delimiter: false at the end of the form. */
async function isPart(source: Source): Promise<boolean> {
  const rest = (await source.take(2)).toString();
  if (rest === '--') return false;
  // The headers end with an empty line, also if there are none.
  if (rest !== '\r\n') throw new SyntaxError('a delimiter is followed by something else');
  source.putBack(LINE);
  return true;
}

/** Names are escaped as the HTML standard says: nothing but these three. */
function dispositionOf(headers: string) {
  const line = /^content-disposition:[ \t]*form-data\b(.*)$/im.exec(headers)?.[1];
  const parameter = (name: string) =>
    new RegExp(`;[ \\t]*${name}="([^"]*)"`, 'i')
      .exec(line ?? '')?.[1]
      ?.replace(/%(22|0D|0A)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const name = parameter('name');
  if (name === undefined) throw new SyntaxError('a part of the form has no name');
  return { name, file_name: parameter('filename') };
}

type Source = ReturnType<typeof createSource>;

function createSource(chunks: AsyncIterator<Uint8Array>) {
  // The first delimiter has no line before it.
  let held: Buffer = Buffer.from(LINE);

  async function more(): Promise<void> {
    const next = await chunks.next();
    if (next.done) throw new SyntaxError('the form ends too early');
    held = Buffer.concat([held, next.value]);
  }

  /** Everything before `end`, which is skipped. */
  async function* until(end: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = held.indexOf(end);
      // The end may have begun.
      const sure = at >= 0 ? at : held.length - end.length + 1;
      if (sure > 0) {
        const bytes = held.subarray(0, sure);
        held = held.subarray(sure);
        yield bytes;
      }
      if (at >= 0) {
        held = held.subarray(end.length);
        return;
      }
      await more();
    }
  }

  return {
    until,
    async read(end: Buffer, max_bytes: number): Promise<Buffer> {
      let bytes = Buffer.alloc(0);
      for await (const each of until(end)) {
        bytes = Buffer.concat([bytes, each]);
        if (bytes.length > max_bytes) throw new SyntaxError('a field of the form is too long');
      }
      return bytes;
    },
    async take(length: number): Promise<Buffer> {
      while (held.length < length) await more();
      const bytes = held.subarray(0, length);
      held = held.subarray(length);
      return bytes;
    },
    putBack(bytes: Buffer): void {
      held = Buffer.concat([bytes, held]);
    },
  };
}
