// Frees the memory of a large buffer as soon as it is not needed. The garbage collector would free it too, but V8 goes through the
// whole heap for every 64 MiB of buffers: with a hundred large responses a second it would do little else.

/** The buffer is empty afterwards, and so is every other one on its memory. Nothing may be reading it, also no other thread. */
export function freeMemory({ buffer }: Uint8Array): void {
  // Smaller buffers may share their memory.
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0);
}
