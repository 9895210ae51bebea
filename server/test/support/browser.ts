// A browser as far as a sign-in needs one: it keeps cookies, follows redirects, reads the forms of a page and submits them.

import type { OpenIdProvider } from './peers/openid-provider.ts';
import type { TestServer } from './servers/start-server.ts';

export type Visited = { status: number; headers: Headers; text: string; location: string | null };

export type Browser = ReturnType<typeof openBrowser>;

export function openBrowser(server: Pick<TestServer, 'url'>) {
  const cookies = new Map<string, string>();

  async function visit(path: string, init: RequestInit = {}): Promise<Visited> {
    const url = path.startsWith('http') ? path : server.url + path;
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...(init.headers as object), cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      cookies.set(name, value);
    }
    const { status, headers } = response;
    return { status, headers, text: await response.text(), location: headers.get('location') };
  }

  /** Submits the form of the page with the button that has this name and value. `untick`: check boxes that the person unticks. */
  function submit(
    page: Visited,
    button: Record<string, string>,
    { headers = {}, untick = [] }: { headers?: Record<string, string>; untick?: readonly string[] } = {},
  ) {
    const [, action = ''] = /<form method="post" action="([^"]+)">/.exec(page.text) ?? [];
    const hidden = [...page.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
    const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
    for (const { name, is_ticked } of boxesOn(page)) if (is_ticked && !untick.includes(name)) fields[name] = 'on';
    return visit(action, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams({ ...fields, ...button }).toString(),
    });
  }

  /** The check boxes of a page. */
  const boxesOn = (page: Visited) =>
    [...page.text.matchAll(/<input type="checkbox" name="([^"]+)"[^>]*?( checked)?>/g)].map(
      ([, name = '', ticked]) => ({
        name,
        is_ticked: ticked !== undefined,
      }),
    );

  /** The providers that a page offers. */
  const providersOn = (page: Visited) =>
    [...page.text.matchAll(/<button name="provider" value="([^"]+)"/g)].map(([, id]) => id as string);

  return { visit, submit, providersOn, boxesOn, cookies };
}

/** Approves the client if a page asks for it, signs in at the provider, and returns where the client is sent to. */
export async function signIn(
  browser: Browser,
  peer: OpenIdProvider,
  authorize_url: string,
  { provider, untick = [] }: { provider?: string; untick?: readonly string[] } = {},
): Promise<Visited> {
  let page = await browser.visit(authorize_url);
  if (page.status === 200) {
    page = await browser.submit(page, { provider: provider ?? browser.providersOn(page)[0] ?? '' }, { untick });
  }
  if (!page.location?.startsWith(peer.url)) return page;
  // By path: the public URL may be another address of the same server.
  const { pathname, search } = await peer.visit(page.location);
  return browser.visit(pathname + search);
}
