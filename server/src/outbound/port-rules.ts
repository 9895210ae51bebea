// Which ports may be called when the operator has not named the port.

/** Ports of databases, control planes and other services that may act on a request not meant for them; browsers refuse some of them. */
const BAD_PORTS: ReadonlySet<number> = new Set([
  1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5672,
  5900, 5984, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042, 9092, 9200, 9300, 10080, 10250, 10255,
  11211, 27017, 27018, 27019,
]);

export function isUsualPort(port: number): boolean {
  return port === 443 || (port >= 1024 && !BAD_PORTS.has(port));
}
