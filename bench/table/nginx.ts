// nginx as a proxy to the customer's HTTPS API: one worker process, kept-alive connections on both sides, and the certificate
// verified, as the other proxies do. Null: it is not installed.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../server/test/support/servers/free-port.ts';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import type { Customer } from '../customer.ts';
import { supervise } from '../processes.ts';
import type { Server } from './rounds.ts';

const PROGRAM = ['nginx', '/usr/sbin/nginx'];

export const findNginx = () => PROGRAM.find((name) => spawnSync(name, ['-v']).status === 0);

export async function startNginx(folder: string, { address, authority_file }: Customer): Promise<Server | null> {
  const program = findNginx();
  if (program === undefined) return null;
  const port = await freePort();
  const prefix = join(folder, 'nginx');
  mkdirSync(prefix, { mode: 0o755 });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${prefix}/${name};`,
  );
  const configuration = `
daemon off;
worker_processes 1;
pid ${prefix}/pid;
error_log stderr error;
events { worker_connections 512; }
http {
  access_log off;
  ${temporary.join('\n  ')}
  keepalive_requests 10000000;
  upstream customer { server ${address}; keepalive 16; keepalive_requests 10000000; }
  server {
    listen 127.0.0.1:${port};
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_ssl_verify on;
    proxy_ssl_name localhost;
    proxy_ssl_trusted_certificate ${authority_file};
    location / { proxy_pass https://customer/orders; }
    location /file/ { proxy_pass https://customer/file/; proxy_max_temp_file_size 0; }
  }
}`;
  writeFileSync(join(prefix, 'nginx.conf'), configuration);
  const child = spawn(program, ['-p', prefix, '-c', join(prefix, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { stop } = supervise(child);
  const url = `http://127.0.0.1:${port}`;
  await waitUntil(async () => (await fetch(url)).status === 200, 10_000, 'nginx is ready');
  return { url, pid: child.pid as number, stores: [], stop };
}
