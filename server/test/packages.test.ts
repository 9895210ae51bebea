// The packages that "npm ci" installs.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

type Locked = { dev?: boolean; engines?: { node?: string } };

const lock = readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8');
const packages = Object.entries((JSON.parse(lock) as { packages: Record<string, Locked> }).packages);

/**
 * Clients whose current version the tests use (docs/design/building.md), and what mcp-proxy and fastmcp bring, which tests and benchmarks
 * run under Node 24.
 */
const refusing = [
  '@ai-sdk/mcp',
  '@ai-sdk/provider',
  '@ai-sdk/provider-utils',
  '@apidevtools/json-schema-ref-parser',
  '@apidevtools/swagger-parser',
  '@stoplight/prism-cli',
  '@stoplight/prism-core',
  '@stoplight/prism-http',
  '@stoplight/prism-http-server',
  'openai',
  'pipenet',
];

/** Whether the range has Node 20: `>=18`, `^20.19.0 || >=22`, `18 || 20`. */
function acceptsNode20(range: string): boolean {
  return range.split('||').some((part) => {
    const [, operator = '', major] = /^\s*([<>=^~]*)\s*v?(\d+)/.exec(part) ?? [];
    if (major === undefined) return true; // "*"
    return operator.startsWith('>') ? Number(major) <= 20 : Number(major) === 20;
  });
}

test('npm warns of no package under Node 20, except of the clients and servers that tests and benchmarks use', () => {
  assert.ok(packages.length > 100);
  const found = packages.filter(([, { engines }]) => !acceptsNode20(engines?.node ?? '*'));
  assert.deepEqual(
    found.map(([path]) => path.split('node_modules/').at(-1)),
    refusing,
  );
  assert.ok(
    found.every(([, { dev }]) => dev),
    'a package that the server needs refuses Node 20',
  );
});

test('a range of Node versions is read as npm reads it', () => {
  const accepted = [
    '*',
    '',
    '>=18',
    '>= 20.19.0',
    '^20.19.0 || >=22.12.0',
    '18 || 20 || >=22',
    '>=22.12.0 || >=20.19.0 <21.0.0',
  ];
  const refused = ['>=22', '>=22.19.0', '^22.0.0 || >=24', '18'];
  assert.deepEqual(accepted.filter(acceptsNode20), accepted);
  assert.deepEqual(refused.filter(acceptsNode20), []);
});
