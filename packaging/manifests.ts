// The package.json of each published package, made from those of the workspaces: one place for each version.

type Versions = Record<string, string>;

export type Manifest = {
  name: string;
  version: string;
  description?: string;
  dependencies?: Versions;
  optionalDependencies?: Versions;
  devDependencies?: Versions;
  scripts?: Versions;
};

export type ReadManifest = (workspace: string) => Manifest;

/** All other dependencies of the server and the command line are part of the compiled files. */
const INSTALLED = ['@node-rs/argon2'];

export function productManifest(read: ReadManifest): Manifest & Record<string, unknown> {
  const { version, description = '', optionalDependencies: nodes = {} } = read('.');
  // The embedded PostgreSQL, one package for each platform.
  const { dependencies = {}, optionalDependencies = {} } = read('server');
  return {
    name: 'toolgate',
    version,
    description,
    keywords: ['mcp', 'model-context-protocol', 'ai', 'tools', 'gateway'],
    license: 'Apache-2.0',
    type: 'module',
    // The launcher finds a Node 24 if this one is older.
    engines: { node: '>=20' },
    bin: { toolgate: 'cli/bin/toolgate.cjs' },
    // It is a program: nothing of it is imported. @toolgate/sdk is.
    exports: { './package.json': './package.json' },
    dependencies: Object.fromEntries(Object.entries(dependencies).filter(([name]) => INSTALLED.includes(name))),
    optionalDependencies,
    // Only where the machine's Node is older than 24, so npm does not install them by itself: cli/bin/toolgate.cjs does.
    peerDependencies: nodes,
    peerDependenciesMeta: Object.fromEntries(Object.keys(nodes).map((name) => [name, { optional: true }])),
  };
}

export function sdkManifest(read: ReadManifest): Manifest {
  const { devDependencies: _, scripts: __, ...published } = read('sdk');
  return published;
}
