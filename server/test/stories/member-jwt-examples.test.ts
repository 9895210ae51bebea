// The examples in other languages accept the JWTs that a server signs (auth_strategy member_jwt), and nothing else.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { makeTenant } from '../support/make/make.ts';
import { makeMemberSessions } from '../support/make/make-members.ts';
import { startOAuthServer } from '../support/make/make-oauth.ts';
import { makeTool, received } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';

const customer = await startCustomer();
const server = await startOAuthServer([customer]);
const { app } = server;
after(() => customer.close());
const tenant = await makeTenant(server);
const issuer = `${app.config.public_url}/api/v1/projects/${tenant.id}`;
const audience = 'https://api.example.com';
const { session } = await makeMemberSessions(server, tenant.id);
customer.respond('*', { body: { ok: true } });

test('the Python example accepts the JWT, and refuses it for another audience', async (context) => {
  if (spawnSync('python3', ['-c', 'import cryptography']).status !== 0)
    return context.diagnostic('NOT CHECKED: python3 with cryptography is not installed');
  const fields = { auth_strategy: 'member_jwt', auth_config: { audience } };
  const tool = await makeTool(server, tenant.keys.write, customer, fields);
  const { authorization = '' } = (await received(server, customer, await session('py'), tool)).headers;
  const file = join(mkdtempSync(join(tmpdir(), 'member-jwt-')), 'jwks.json');
  writeFileSync(file, await (await fetch(`${issuer}/jwks.json`)).text());
  after(() => rmSync(dirname(file), { recursive: true }));
  const folder = join(import.meta.dirname, '../../../examples/member-jwt');
  const program = `import json, sys
from verify_member_jwt import verify_member_jwt
keys = json.load(open(sys.argv[4]))["keys"]
print(json.dumps(verify_member_jwt(sys.argv[1], sys.argv[2], sys.argv[3], keys)))`;
  const run = (aud: string) =>
    spawnSync('python3', ['-B', '-c', program, authorization, issuer, aud, file], { encoding: 'utf8', cwd: folder });
  const accepted = run(audience);
  assert.equal(JSON.parse(accepted.stdout || '{}').sub, 'py', accepted.stderr);
  assert.match(run('https://else.example.com').stderr, /InvalidToken/);
});

test('the Go example accepts the JWT, and refuses another audience, a changed token and a time after its end', async (context) => {
  if (spawnSync('go', ['version']).status !== 0) return context.diagnostic('NOT CHECKED: go is not installed');
  const fields = { auth_strategy: 'member_jwt', auth_config: { audience } };
  const tool = await makeTool(server, tenant.keys.write, customer, fields);
  const { authorization = '' } = (await received(server, customer, await session('gopher'), tool)).headers;
  const folder = mkdtempSync(join(tmpdir(), 'member-jwt-go-'));
  after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'jwks.json'), await (await fetch(`${issuer}/jwks.json`)).text());
  writeFileSync(join(folder, 'go.mod'), 'module example\n\ngo 1.19\n');
  mkdirSync(join(folder, 'memberjwt'));
  const example = join(import.meta.dirname, '../../../examples/member-jwt/verify.go');
  copyFileSync(example, join(folder, 'memberjwt/verify.go'));
  writeFileSync(join(folder, 'main.go'), goProgram);
  const built = spawnSync('go', ['build', '-o', 'check', '.'], { encoding: 'utf8', cwd: folder });
  assert.equal(built.status, 0, built.stderr);
  const now = String(Math.floor(app.now() / 1000));
  const run = (token: string, aud = audience, at = now) =>
    spawnSync(join(folder, 'check'), [token, issuer, aud, at], { encoding: 'utf8', cwd: folder }).stdout.trim();
  assert.equal(run(authorization), 'gopher');
  const [header, payload] = authorization.split('.');
  const refused = [
    run(authorization, 'https://else.example.com'),
    run(authorization, audience, String(Number(now) + 66)),
    run(`${header}.${payload}.${Buffer.alloc(64, 1).toString('base64url')}`),
    run('Bearer x'),
  ];
  assert.deepEqual([...new Set(refused)], ['invalid member JWT']);
});

const goProgram = `package main

import (
	"encoding/json"
	"example/memberjwt"
	"fmt"
	"os"
	"strconv"
	"time"
)

func main() {
	text, _ := os.ReadFile("jwks.json")
	var set struct{ Keys []memberjwt.Key }
	_ = json.Unmarshal(text, &set)
	at, _ := strconv.ParseInt(os.Args[4], 10, 64)
	claims, err := memberjwt.Verify(os.Args[1], os.Args[2], os.Args[3], set.Keys, time.Unix(at, 0))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(claims.Sub)
}
`;
