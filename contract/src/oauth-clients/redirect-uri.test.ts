// Which redirect URIs can be registered and used.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRegisteredRedirectUri, redirectUriProblem } from './redirect-uri.ts';

test('https and http on a loopback address can be registered', () => {
  for (const uri of [
    'https://app.example.com/callback',
    'https://app.example.com',
    'https://app.example.com:8443/cb?tenant=1',
    'http://127.0.0.1:3334/oauth/callback',
    'http://[::1]/cb',
    'http://localhost:8000/cb',
  ])
    assert.equal(redirectUriProblem(uri), null, uri);
});

test('everything else is refused', () => {
  for (const uri of [
    '',
    'callback',
    'http://app.example.com/callback',
    'http://127.0.0.1.example.com/callback',
    'http://localhost.example.com/',
    'https://app.example.com/callback#',
    'https://app.example.com/#fragment',
    'https://user@app.example.com/',
    'https://app.example.com@evil.example.com/',
    'https://app.example.com/a/../b',
    'https://app.example.com\\@evil.example.com/',
    'https://APP.example.com/',
    ' https://app.example.com/',
    'https://*.example.com/',
    'javascript:alert(1)',
    'data:text/html,x',
    'com.example.app:/callback',
  ])
    assert.notEqual(redirectUriProblem(uri), null, uri);
});

test('a redirect URI is compared letter by letter', () => {
  const client = { redirect_uris: ['https://app.example.com/callback'], is_public: true };
  assert.equal(isRegisteredRedirectUri(client, 'https://app.example.com/callback'), true);
  for (const uri of [
    'https://app.example.com/callback/',
    'https://app.example.com/callback?x=1',
    'https://app.example.com/Callback',
    'https://app.example.com:443/callback',
    'https://app.example.com/callback/../callback',
    'https://app.example.com.evil.example.com/callback',
    'https://app.example.com/callback#x',
  ])
    assert.equal(isRegisteredRedirectUri(client, uri), false, uri);
});

test('only the port of a loopback address may differ, and only for a public client', () => {
  const redirect_uris = ['http://127.0.0.1/cb'];
  assert.equal(isRegisteredRedirectUri({ redirect_uris, is_public: true }, 'http://127.0.0.1:51004/cb'), true);
  assert.equal(isRegisteredRedirectUri({ redirect_uris, is_public: false }, 'http://127.0.0.1:51004/cb'), false);
  for (const uri of ['http://127.0.0.1:51004/other', 'http://localhost:51004/cb', 'https://127.0.0.1:51004/cb'])
    assert.equal(isRegisteredRedirectUri({ redirect_uris, is_public: true }, uri), false, uri);
  const https = { redirect_uris: ['https://app.example.com/cb'], is_public: true };
  assert.equal(isRegisteredRedirectUri(https, 'https://app.example.com:8443/cb'), false);
});
