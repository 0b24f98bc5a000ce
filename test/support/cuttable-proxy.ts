import { afterAll } from 'bun:test';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type CuttableProxy = {
  /** The database address with the proxy in between. */
  url: string;
  /** Drops every connection and refuses new ones, as a server that has been stopped. */
  cut: () => void;
  /** Ends every connection by a reset, as the machine of a server that was killed; takes new ones. */
  reset: () => void;
  /** Takes connections and bytes but passes nothing on, as a server that hangs. */
  freeze: () => void;
  /** Only the connections of now whose client has said so; nobody is told. */
  strand: (isMeant: (said: string) => boolean) => void;
  mend: () => void;
};

type Mode = 'open' | 'cut' | 'frozen';
/** Enough for the start of a session and its statements. */
const HEARD_BYTES = 64 * 1024;
type Heard = { said: string; isStranded: boolean };

/** A TCP proxy before the suite's database, to take the database away from one client only. */
export async function cuttableProxy(databaseUrl: string): Promise<CuttableProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  const sessions = new Set<Heard>();
  let mode: Mode = 'open';
  const server = createServer((client) => {
    if (mode === 'cut') {
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    const session: Heard = { said: '', isStranded: false };
    sessions.add(session);
    clients.add(client);
    const passes = () => mode === 'open' && !session.isStranded;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        clients.delete(client);
        sessions.delete(session);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (bytes) => {
      if (session.said.length < HEARD_BYTES) session.said += bytes.toString('latin1');
      if (passes()) upstream.write(bytes);
    });
    upstream.on('data', (bytes) => passes() && client.write(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const dropAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.toString(),
    cut: () => {
      mode = 'cut';
      dropAll();
    },
    reset: () => {
      for (const client of clients) client.resetAndDestroy();
    },
    freeze: () => {
      mode = 'frozen';
    },
    strand: (isMeant) => {
      for (const session of sessions) session.isStranded ||= isMeant(session.said);
    },
    mend: () => {
      if (mode === 'frozen') dropAll();
      mode = 'open';
    },
  };
}
