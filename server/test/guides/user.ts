// A new user with a fresh copy of the project and two terminals. Ports and folders are free ones, so that nothing else on this machine is touched.
// Each page begins in new terminals in the folder of the copy: nothing that another page has set is left but the data of the server.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { root } from '../support/markdown.ts';
import { freePort } from '../support/servers/free-port.ts';
import { waitUntil } from '../support/wait-until.ts';

/** What `npm ci --omit=dev && npm start` needs of a copy. */
const copied = [
  'package.json',
  'package-lock.json',
  '.npmrc',
  'require-node-24.cjs',
  'server',
  'sdk',
  'cli',
  'node_modules',
];

/**
 * Real npm, with two differences that spare downloads: `npm ci` checks the lock file against all package.json files and installs nothing,
 * and `npm i name@version` links the package if the project has this very version. `npx` runs a program of the folder at once: to
 * find it, npx reads all packages, in most of the time of these tests. cli/test/usage.test.ts and packaging/test run the real one.
 */
const NPM = `
npm() {
  case "$1" in
    ci) command npm "$@" --dry-run ;;
    i) shift; for package in "$@"; do link_package "\${package%@*}" "\${package##*@}"; done ;;
    *) command npm "$@" ;;
  esac
}
npx() {
  if [ -x "node_modules/.bin/$1" ]; then "node_modules/.bin/$@"; else command npx "$@"; fi
}
link_package() {
  [ "$(jq -r .version "$PROJECT_ROOT/node_modules/$1/package.json")" = "$2" ] || { echo "the project does not have $1@$2" >&2; return 1; }
  mkdir -p "node_modules/$(dirname "$1")" && ln -sfn "$PROJECT_ROOT/node_modules/$1" "node_modules/$1"
}
`;

/** How a server is started without settings. */
const START = 'npx toolgate start';

export type User = {
  /** A text of a guide, with the ports and folders of this user. */
  localize(text: string): string;
  /** Closes terminal 2 with everything that it has started, and opens a new one. Terminal 1 goes on, unless it runs a server with settings. */
  openTerminals(): Promise<void>;
  /** Runs commands in terminal 2. Returns what they print; throws if one of them fails. */
  run(commands: string, where: string): Promise<string>;
  /** Stops the server in terminal 1, as Ctrl-C does, and starts it with these commands. */
  startServer(commands: string): Promise<void>;
  leave(): Promise<void>;
};

export async function makeUser(): Promise<User> {
  const home = mkdtempSync(join(tmpdir(), 'toolgate-guides-'));
  chmodSync(home, 0o755); // for the embedded PostgreSQL
  const copy = join(home, 'toolgate');
  for (const folder of [copy, join(home, 'tmp')]) mkdirSync(folder);
  for (const name of copied.filter((name) => existsSync(join(root, name))))
    symlinkSync(join(root, name), join(copy, name));
  // 3000 is the server, 4001 to 4003 are what a guide starts.
  const ports = new Map<string, number>();
  for (const port of ['3000', '4001', '4002', '4003']) ports.set(port, await freePort());
  const port = ports.get('3000');
  const localize = (text: string) =>
    text.replace(/\b(3000|400[123])\b/g, (written) => String(ports.get(written))).replaceAll('/tmp/', `${home}/tmp/`);
  const { DATABASE_URL: _, CI: __, ...inherited } = process.env;
  const env = {
    ...inherited,
    PORT: String(port),
    HOME: home,
    PROJECT_ROOT: root,
    PATH: [dirname(process.execPath), inherited.PATH].join(delimiter),
    npm_config_update_notifier: 'false',
  };

  const openTerminal = () => {
    const opened = spawn('bash', ['-s'], { cwd: copy, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    opened.stdin.write(`exec 2>&1\n${NPM}`);
    return opened;
  };
  let terminal = openTerminal();
  let server: ChildProcess | null = null;
  let serverCommands = '';
  const stopServer = async () => {
    if (!server || server.exitCode !== null) return;
    const ended = once(server, 'exit');
    process.kill(-(server.pid as number), 'SIGINT');
    await ended;
  };

  const startServer = async (commands: string) => {
    await stopServer();
    serverCommands = commands;
    const log = join(home, 'server.log');
    const script = `${NPM}\n{ ${localize(commands)}\n} > "${log}" 2>&1`;
    server = spawn('bash', ['-c', script], { cwd: copy, env, detached: true, stdio: 'ignore' });
    const started = server;
    await waitUntil(
      async () => {
        if (started.exitCode !== null) throw new Error(`the server ended:\n${readFileSync(log, 'utf8')}`);
        return (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.status === 200;
      },
      60_000,
      'the server is ready',
    );
  };

  return {
    localize,
    startServer,
    async openTerminals() {
      await closeTerminal(terminal);
      terminal = openTerminal();
      if (serverCommands.includes('TOOLGATE_')) await startServer(START);
    },
    async run(commands, where) {
      const file = join(home, 'commands.sh');
      writeFileSync(file, localize(commands));
      return runBlock(terminal, file, where);
    },
    async leave() {
      await stopServer();
      await closeTerminal(terminal);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** With what its shell started in the background, also when the shell has ended. */
async function closeTerminal(terminal: ChildProcess): Promise<void> {
  const closed = terminal.exitCode === null && terminal.signalCode === null ? once(terminal, 'exit') : null;
  killGroup(terminal);
  await closed;
}

function killGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-(pid as number), 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const END = 'end-of-the-block';

/** The shell stays, with its variables and its folder; a command that fails ends it. */
async function runBlock(terminal: ChildProcess, file: string, where: string): Promise<string> {
  const { stdin, stdout } = terminal;
  if (!stdin?.writable || !stdout || terminal.exitCode !== null)
    throw new Error(`${where}: an earlier command failed, so this one was not run`);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let output = '';
  const read = (bytes: Buffer) => {
    output += bytes;
    if (output.includes(`${END}\n`)) resolve(output.slice(0, output.indexOf(END)));
  };
  const fail = (code: number | null) => reject(new Error(`${where}: a command failed with ${code}:\n${output}`));
  stdout.on('data', read);
  terminal.once('close', fail);
  stdin.write(`set -e -o pipefail\n. "${file}" < /dev/null\nset +e\necho ${END}\n`);
  try {
    return await promise;
  } finally {
    stdout.off('data', read);
    terminal.off('close', fail);
  }
}
