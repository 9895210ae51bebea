// `--shard 2/4`: one part of the files, the same on every machine.

/** Every n-th file: the files of a folder take similar times, so that each part gets its share of every kind. */
export function shardOf(files: string[], shard: string): string[] {
  const [, index, count] = /^(\d{1,3})\/(\d{1,3})$/.exec(shard)?.map(Number) ?? [];
  if (index === undefined || count === undefined || index < 1 || index > count)
    throw new Error(`--shard is one part of several, such as 2/4, not ${shard}.`);
  return files.filter((_, i) => i % count === index - 1);
}
