// How long the parts of a file are: so small that ten transfers at the same time take a few MB of memory.

export const PART_BYTES = 256 * 1024;
