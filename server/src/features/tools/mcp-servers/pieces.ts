// What MCP servers list is handled in pieces: the work and the memory of one are the same, however long the list is.

export const PIECE_BYTES = 256 * 1024;
/** A longer list is not read. */
export const MAX_LISTED_TOOLS = 10_000;

/** In their order. A row that is larger is a piece by itself. */
export function* inPieces<T extends { stored_bytes: number }>(
  rows: readonly T[],
  max_rows = Number.POSITIVE_INFINITY,
): Generator<T[]> {
  let piece: T[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (piece.length > 0 && (piece.length === max_rows || bytes + row.stored_bytes > PIECE_BYTES)) {
      yield piece;
      [piece, bytes] = [[], 0];
    }
    piece.push(row);
    bytes += row.stored_bytes;
  }
  if (piece.length > 0) yield piece;
}
