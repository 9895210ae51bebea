// The API of a measured server: its root key, and how a bench creates what it needs.

export const ROOT_KEY = 'root-key-of-the-bench-0123456789-abcdefghijk';

type Made = { id: string; key: string };

export async function post<T = Made>(url: string, path: string, key: string, body: object, status = 201): Promise<T> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== status) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
