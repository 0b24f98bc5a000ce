import { afterAll } from 'bun:test';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * A TCP proxy at `hostname` before a server of this machine, which gets what clients send `delayMs`
 * later. Returns its port.
 */
export async function delayProxy(
  hostname: string,
  targetPort: number,
  delayMs: number,
): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true });
    const later = (work: () => void) => (delayMs === 0 ? work() : setTimeout(work, delayMs));
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (bytes) => later(() => upstream.write(bytes)));
    client.on('end', () => later(() => upstream.end()));
    upstream.on('data', (bytes) => client.write(bytes));
    upstream.on('end', () => client.end());
  });
  await new Promise<void>((resolve) => server.listen(0, hostname, resolve));
  afterAll(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}
