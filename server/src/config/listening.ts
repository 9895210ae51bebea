// Where a server that listens on HOST and PORT is reached from its own machine.

/** Hosts that mean every address of the machine, and the loopback address among them. */
const EVERY_ADDRESS: Record<string, string> = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' };

export function describeListening(host: string, port: number) {
  const text = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const url = URL.parse(text);
  const loopback = EVERY_ADDRESS[url?.hostname ?? ''];
  if (url !== null && loopback !== undefined) url.hostname = loopback;
  return {
    /** Where this machine reaches the server. The start prints it. */
    listen_url: url?.origin ?? text,
    listens_everywhere: loopback !== undefined,
  };
}
