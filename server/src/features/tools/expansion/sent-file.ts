// A file in a request body: its bytes are read while they are sent.

export type SentFile = {
  name: string;
  content_type: string;
  size: number;
  sha256: string;
  read(): AsyncIterable<Uint8Array>;
};

/** By the names of their arguments. */
export type SentFiles = ReadonlyMap<string, SentFile>;

export const NO_FILES: SentFiles = new Map<string, SentFile>([]);

/** A body with files: what is sent, one after the other. */
export type BodyParts = readonly (string | SentFile)[];

export const lengthOf = (parts: BodyParts): number =>
  parts.reduce((sum, part) => sum + (typeof part === 'string' ? Buffer.byteLength(part) : part.size), 0);

export async function* readParts(parts: BodyParts): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (typeof part === 'string') yield Buffer.from(part);
    else yield* part.read();
  }
}
