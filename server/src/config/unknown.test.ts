// Variables that look like settings: mistyped ones are refused, those of other programs are not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOf } from '../../test/support/servers/config-problems.ts';

const mistyped: [name: string, suggestion: string][] = [
  ['TOOLGATE_LOGLEVEL', 'did you mean TOOLGATE_LOG_LEVEL?'],
  ['TOOLGATE_MASTER_KEY', 'did you mean TOOLGATE_MASTER_KEYS?'],
  ['TOOLGATE_EGRES_ALOW', 'did you mean TOOLGATE_EGRESS_ALLOW?'],
  ['TOOLGATE_PORT', 'did you mean PORT?'],
  ['TOOLGATE_DATABASE_URL', 'did you mean DATABASE_URL?'],
  ['TOOLGATE_COLOR_OF_THE_SKY', 'npx toolgate start --help lists all'],
];
for (const [name, suggestion] of mistyped) {
  test(`${name} is refused: ${suggestion}`, () => {
    assert.deepEqual(problemsOf({ [name]: 'hunter2' }), [`  - ${name} is not a setting: ${suggestion}`]);
  });
}

test('variables that Kubernetes sets for a Service named toolgate are not mistyped settings', () => {
  const environment = {
    TOOLGATE_SERVICE_HOST: '10.0.0.1',
    TOOLGATE_SERVICE_PORT: '3000',
    TOOLGATE_SERVICE_PORT_HTTP: '3000',
    TOOLGATE_PORT: 'tcp://10.0.0.1:3000',
    TOOLGATE_PORT_3000_TCP: 'tcp://10.0.0.1:3000',
    TOOLGATE_PORT_3000_TCP_PROTO: 'tcp',
    TOOLGATE_PORT_3000_TCP_PORT: '3000',
    TOOLGATE_PORT_3000_TCP_ADDR: '10.0.0.1',
    TOOLGATE_POSTGRES_PORT: 'tcp://10.0.0.2:5432',
  };
  assert.deepEqual(problemsOf(environment), []);
});

test('variables of clients are not mistyped settings', () => {
  const environment = { TOOLGATE_URL: 'x', TOOLGATE_API_KEY: 'x', TOOLGATE_KEY: 'x', TOOLGATE_PROJECT: 'x' };
  assert.deepEqual(problemsOf(environment), []);
});
