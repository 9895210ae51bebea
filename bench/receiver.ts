// A webhook receiver in its own thread. It counts the requests, and never responds on /hang.

import { createServer } from 'node:https';
import { parentPort, workerData } from 'node:worker_threads';

const { tls, counter } = workerData as { tls: { cert: string; key: string }; counter: Int32Array };

const server = createServer({ ...tls, keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume().on('end', () => {
    if (request.url === '/hang') return;
    response.writeHead(204).end();
    Atomics.add(counter, 0, 1);
  });
});
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as { port: number }).port));
