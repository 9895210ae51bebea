// Finds conditions, statements and numbers that no unit test needs: changes a file in one place at a time, runs the tests that import
// it, and prints the changes that no test noticed. Not part of `npm test`, and never for tests that need a server or a database.
// npm run mutate -- server/src/access/layers.ts … [--tests FILE …] [--every N] [--concurrency N]

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

type Mutant = { start: number; end: number; text: string };
type Outcome = 'killed' | 'survived' | 'not reached';
type Node = { type: string; start: number; end: number; [name: string]: any };

function changeWhileLoading(file: string, { start, end, text }: Mutant): void {
  const target = pathToFileURL(file).href;
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (url !== target) return loaded;
      const source = readFileSync(file, 'utf8');
      return { ...loaded, source: source.slice(0, start) + text + source.slice(end) };
    },
  });
}

async function mutateAll(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      tests: { type: 'string', multiple: true, default: [] },
      every: { type: 'string', default: '1' },
      concurrency: { type: 'string', default: String(availableParallelism()) },
    },
  });
  for (const file of positionals) {
    const tests = values.tests.length > 0 ? values.tests : testsOf(file);
    if (tests.length === 0) console.log(`${file}: no unit test imports it`);
    else await mutateFile(file, tests, { every: Number(values.every), concurrency: Number(values.concurrency) });
  }
}

/** Tests of the same part of the code that import the file, on their own or through others, and need no database. */
function testsOf(file: string): string[] {
  const folder = dirname(file);
  const near = globSync([`${folder}/**/*.test.ts`, `${dirname(folder)}/*.test.ts`]);
  return near.filter((test) => {
    const imported = importsOf(test);
    return imported.has(resolve(file)) && ![...imported].some((path) => /test-database|start-server/.test(path));
  });
}

function importsOf(test: string): Set<string> {
  const found = new Set([resolve(test)]);
  for (const file of found)
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import\(|URL\() ?'(\.[^']+\.ts)'/g))
      found.add(resolve(dirname(file), path));
  return found;
}

type Options = { every: number; concurrency: number };

async function mutateFile(file: string, tests: string[], { every, concurrency }: Options): Promise<void> {
  const text = readFileSync(file, 'utf8');
  const mutants = (await mutantsOf(file, text)).filter((_, i) => i % every === 0);
  const began_at = performance.now();
  const unreached = await findUnreached(file, tests);
  const max_ms = 2_000 + 5 * (performance.now() - began_at);
  const outcomes = new Map<Mutant, Outcome>();
  const waiting = mutants.values();
  const work = async () => {
    for (const mutant of waiting) {
      const isUnreached = unreached.some(({ start, end }) => start <= mutant.start && mutant.end <= end);
      outcomes.set(mutant, isUnreached ? 'not reached' : await tryMutant(file, tests, mutant, max_ms));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const survivors = mutants.filter((mutant) => outcomes.get(mutant) !== 'killed');
  console.log(`${file}: ${mutants.length} mutants, ${mutants.length - survivors.length} killed`);
  for (const mutant of survivors) console.log(`  ${showMutant(text, mutant)} (${outcomes.get(mutant)})`);
}

function showMutant(text: string, { start, end, text: changed }: Mutant): string {
  const line = text.slice(0, start).split('\n').length;
  const oneLine = (part: string) => part.replace(/\s+/g, ' ').slice(0, 90);
  return `${line}: ${oneLine(text.slice(start, end))} → ${oneLine(changed)}`;
}

async function tryMutant(file: string, tests: string[], mutant: Mutant, max_ms: number): Promise<Outcome> {
  const environment = { MUTATED_FILE: resolve(file), MUTANT: JSON.stringify(mutant) };
  return (await passes(tests, environment, max_ms)) ? 'survived' : 'killed';
}

/** What takes too long has failed. */
async function passes(tests: string[], environment: Record<string, string>, max_ms: number): Promise<boolean> {
  const hooks = environment.MUTANT ? ['--import', import.meta.filename] : [];
  const args = ['--test', '--test-isolation=none', '--test-force-exit', '--test-reporter=dot', ...tests];
  const child = spawn(process.execPath, [...hooks, ...args], {
    env: { ...process.env, NODE_COMPILE_CACHE: resolve('node_modules/.cache/node-compile-cache'), ...environment },
    stdio: 'ignore',
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), max_ms);
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  return code === 0;
}

/** The parts of the file that the tests never run. Positions are those of the source: Node blanks types out. */
async function findUnreached(file: string, tests: string[]): Promise<{ start: number; end: number }[]> {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-mutate-'));
  try {
    if (!(await passes(tests, { NODE_V8_COVERAGE: folder }, 120_000)))
      throw new Error(`${tests.join(', ')} do not pass`);
    const url = pathToFileURL(resolve(file)).href;
    const scripts: Script[] = readdirSync(folder).flatMap(
      (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).result,
    );
    const runs = scripts.filter((script) => script.url === url).map(({ functions }) => functions.flatMap(rangesOf));
    const [first = [], ...others] = runs.map((ranges) => ranges.filter(({ count }) => count === 0));
    // Threads run it too: what one of them reaches is reached.
    return first.filter(({ start, end }) =>
      others.every((ranges) => ranges.some((other) => other.start <= start && end <= other.end)),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

type Range = { start: number; end: number; count: number };
type Script = { url: string; functions: Covered[] };
type Covered = { ranges: { startOffset: number; endOffset: number; count: number }[] };
const rangesOf = ({ ranges }: Covered): Range[] =>
  ranges.map(({ startOffset: start, endOffset: end, count }) => ({ start, end, count }));

const OPPOSITES: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
};

async function mutantsOf(file: string, text: string): Promise<Mutant[]> {
  const { parseSync } = await import('oxc-parser');
  const found = new Map<string, Mutant>();
  const add = ({ start, end }: Pick<Node, 'start' | 'end'>, changed: string) =>
    found.set(`${start} ${end} ${changed}`, { start, end, text: changed });
  for (const node of nodesOf(parseSync(basename(file), text).program)) {
    const { type, operator, value, start, end } = node;
    if ((type === 'IfStatement' || type === 'ConditionalExpression') && node.test.operator !== '!')
      add(node.test, `!(${text.slice(node.test.start, node.test.end)})`);
    else if (type === 'BinaryExpression' || type === 'LogicalExpression') {
      const at = text.indexOf(operator, node.left.end);
      const opposite = OPPOSITES[operator];
      if (opposite) add({ start: at, end: at + operator.length }, opposite);
    } else if (type === 'UnaryExpression' && operator === '!') add({ start, end: start + 1 }, '');
    else if (type === 'Literal' && typeof value === 'number') add(node, `(${text.slice(start, end)} + 1)`);
    else if (type === 'Literal' && typeof value === 'boolean') add(node, String(!value));
    else if (type === 'ThrowStatement' || type === 'ContinueStatement') add(node, ';');
    else if (type === 'ExpressionStatement' && !node.directive) add(node, ';');
  }
  return [...found.values()].sort((one, other) => one.start - other.start);
}

/** Every node that runs: types do not. */
function* nodesOf(node: unknown): Generator<Node> {
  if (Array.isArray(node)) for (const each of node) yield* nodesOf(each);
  else if (node !== null && typeof node === 'object' && 'type' in node) {
    const { type } = node as Node;
    const isType = type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)Expression$/.test(type);
    if (isType) return;
    yield node as Node;
    for (const each of Object.values(node)) yield* nodesOf(each);
  }
}

/** In a process that runs tests: the file, and what is changed in it. */
const { MUTATED_FILE: mutated_file, MUTANT: mutant_text } = process.env;
if (mutated_file && mutant_text) changeWhileLoading(mutated_file, JSON.parse(mutant_text));
else await mutateAll();
