// People with a session cookie, as the dashboard's browser has it.

import { makeSetupLink } from '../../../src/features/identity/accounts/setup-link.ts';
import type { ApiResponse, CallOptions } from '../requests/call-api.ts';
import type { TestServer } from '../servers/start-server.ts';
import { expectResponse, unique } from './make.ts';

export const PASSWORD = 'correct horse battery staple';

export type Person = {
  account: any;
  email: string;
  /** `name=value`, as the browser sends it. */
  cookie: string;
  api<T = any>(method: string, path: string, options?: CallOptions): Promise<ApiResponse<T>>;
};

/** The cookie of a response, or null. */
export function cookieOf({ headers }: ApiResponse): string | null {
  return headers.get('set-cookie')?.split(';')[0] ?? null;
}

/** Sends requests as a page of this server does. */
export function withCookie(server: TestServer, cookie: string): Person['api'] {
  return (method, path, { headers, ...options } = {}) =>
    server.api(method, path, { ...options, headers: { cookie, origin: server.url, ...headers } });
}

export function toPerson(server: TestServer, response: ApiResponse, account: any): Person {
  const cookie = cookieOf(response) ?? '';
  return { account, email: account.email, cookie, api: withCookie(server, cookie) };
}

export async function setupToken(server: TestServer): Promise<string> {
  const link = await makeSetupLink(server.app);
  return new URL(link ?? '').hash.slice('#token='.length);
}

/** Sets the installation up. */
export async function makeOwner(server: TestServer): Promise<Person & { project: any }> {
  const body = {
    token: await setupToken(server),
    name: 'Olivia Owner',
    email: 'olivia@example.com',
    password: PASSWORD,
    project_name: 'Shop',
  };
  const response = await server.api('POST', '/account/setup', { body });
  const { account, project } = expectResponse(response, 201);
  return { ...toPerson(server, response, account), project };
}

export async function signIn(server: TestServer, email: string, more: object = {}): Promise<Person> {
  const response = await server.api('POST', '/account/sign-in', { body: { email, password: PASSWORD, ...more } });
  return toPerson(server, response, expectResponse(response, 200));
}

/** The same session with the password given again, and its new cookie. */
export async function reauthenticate<T extends Person>(server: TestServer, person: T, more: object = {}): Promise<T> {
  const given = Object.keys(more).length > 0 ? more : { password: PASSWORD };
  const response = await person.api('POST', '/account/reauthenticate', { body: given });
  expectResponse(response, 200);
  const cookie = cookieOf(response) ?? person.cookie;
  return { ...person, cookie, api: withCookie(server, cookie) };
}

/** Invited by the owner. */
export async function makePerson(server: TestServer, owner: Person, role: string): Promise<Person> {
  const body = { email: `${unique(role)}@example.com`, role };
  const { link } = expectResponse(await owner.api('POST', '/organization/invitations', { body }), 201);
  const token = new URL(link).hash.slice('#token='.length);
  const response = await server.api('POST', '/account/invitations/accept', {
    body: { token, name: `A ${role}`, password: PASSWORD },
  });
  return toPerson(server, response, expectResponse(response, 201));
}
