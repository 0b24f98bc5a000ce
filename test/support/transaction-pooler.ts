import { afterAll } from 'bun:test';
import { createHash, createHmac, pbkdf2Sync, randomBytes, randomInt } from 'node:crypto';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { must } from '../../src/shared/assert.ts';

const SSL_REQUEST = 80_877_103;
/** All that PgBouncer takes at the start of a session; it refuses the rest. */
const TAKEN = new Set(['user', 'database', 'application_name', 'client_encoding', 'timezone']);
const MAX_BACKENDS = 12;

const int32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const message = (type: string, body: Buffer) =>
  Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
const strings = (...texts: string[]) => Buffer.from(texts.map((text) => `${text}\0`).join(''));
const readyForQuery = (state: string) => message('Z', Buffer.from(state));
const fatal = (code: string, text: string) =>
  message('E', strings('SFATAL', 'VFATAL', `C${code}`, `M${text}`, ''));

type Message = { type: string; body: Buffer; whole: Buffer };

/** Calls back with each whole message of a stream; the first of a client has no type. */
function eachMessage(
  socket: Socket,
  onMessage: (one: Message) => void,
  isTyped = () => true,
): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (bytes) => {
    rest = Buffer.concat([rest, Buffer.from(bytes)]);
    for (;;) {
      const from = isTyped() ? 1 : 0;
      if (rest.length < from + 4) return;
      const end = from + rest.readInt32BE(from);
      if (rest.length < end) return;
      const whole = rest.subarray(0, end);
      rest = rest.subarray(end);
      onMessage({ type: whole.toString('latin1', 0, from), body: whole.subarray(from + 4), whole });
    }
  });
}

/** The client's side of SCRAM-SHA-256 (RFC 7677). */
function scram(password: string) {
  const nonce = randomBytes(18).toString('base64');
  const first = `n=,r=${nonce}`;
  const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  return {
    first: () =>
      Buffer.concat([
        strings('SCRAM-SHA-256'),
        int32(first.length + 3),
        Buffer.from(`n,,${first}`),
      ]),
    final: (challenge: string) => {
      const [r = '', s = '', i = ''] = challenge.split(',').map((part) => part.slice(2));
      const salted = pbkdf2Sync(password, Buffer.from(s, 'base64'), Number(i), 32, 'sha256');
      const key = hmac(salted, 'Client Key');
      const stored = createHash('sha256').update(key).digest();
      const signature = hmac(stored, `${first},${challenge},c=biws,r=${r}`);
      const proof = key.map((byte, index) => byte ^ must(signature[index], 'both have 32 bytes'));
      return Buffer.from(`c=biws,r=${r},p=${Buffer.from(proof).toString('base64')}`);
    },
  };
}

type Backend = { socket: Socket; client: Client | null; skips: number };
type Client = {
  socket: Socket;
  settings: Map<string, string>;
  backend: Backend | null;
  /** The one before, which it does not get again. */
  last: Backend | null;
  waiting: Buffer[];
};

/** A logged-in connection to the database; messages afterwards go to its client. */
function openBackend(target: URL, onReady: (backend: Backend, state: string) => void): Backend {
  const socket = connect(Number(target.port), target.hostname);
  const backend: Backend = { socket, client: null, skips: 0 };
  const { first, final } = scram(decodeURIComponent(target.password));
  const names = ['user', decodeURIComponent(target.username), 'database', target.pathname.slice(1)];
  const start = Buffer.concat([int32(196_608), strings(...names, '')]);
  socket.write(Buffer.concat([int32(start.length + 4), start]));
  socket.on('error', () => socket.destroy());
  let isOpen = false;
  eachMessage(socket, ({ type, body, whole }) => {
    if (isOpen) {
      if (backend.skips === 0) backend.client?.socket.write(whole);
      if (type !== 'Z') return;
      if (backend.skips > 0) backend.skips -= 1;
      else onReady(backend, body.toString('latin1'));
    } else if (type === 'R' && body.readInt32BE() === 10) {
      socket.write(message('p', first()));
    } else if (type === 'R' && body.readInt32BE() === 11) {
      socket.write(message('p', final(body.toString('latin1', 4))));
    } else if (type === 'Z') {
      isOpen = true;
      onReady(backend, 'I');
    }
  });
  return backend;
}

/**
 * PgBouncer in transaction mode, stricter: no transaction or statement of a client gets the server
 * connection of the one before, so nothing of a session is there again.
 */
export async function transactionPooler(databaseUrl: string): Promise<string> {
  const target = new URL(databaseUrl);
  const backends = new Set<Backend>();
  const free: Backend[] = [];
  const queue: Client[] = [];
  const serve = (): void => {
    for (const client of [...queue]) {
      const index = free.findIndex((backend) => backend !== client.last);
      const [backend] = index < 0 ? [] : free.splice(index, 1);
      if (!backend) continue;
      queue.splice(queue.indexOf(client), 1);
      [backend.client, client.backend, backend.skips] = [client, backend, 1];
      const name = client.settings.get('application_name') ?? '';
      const settings = `SET application_name = '${name}'; SET TimeZone = '${client.settings.get('timezone') ?? 'UTC'}'`;
      backend.socket.write(
        Buffer.concat([message('Q', strings(settings)), ...client.waiting.splice(0)]),
      );
    }
    if (queue.length > free.length && backends.size < MAX_BACKENDS) {
      const backend = openBackend(target, onReady);
      backends.add(backend);
      backend.socket.on('close', () => {
        backends.delete(backend);
        if (free.includes(backend)) free.splice(free.indexOf(backend), 1);
        backend.client?.socket.destroy();
        serve();
      });
    }
  };
  const onReady = (backend: Backend, state: string): void => {
    if (state !== 'I') return;
    if (backend.client) [backend.client.last, backend.client.backend] = [backend, null];
    backend.client = null;
    free.push(backend);
    serve();
  };
  const server = createServer((socket) => {
    const client: Client = { socket, settings: new Map(), backend: null, last: null, waiting: [] };
    let isStarted = false;
    const begin = (body: Buffer) => {
      if (body.readInt32BE() === SSL_REQUEST) return void socket.write('N');
      const words = body.toString('utf8', 4).split('\0');
      for (let at = 0; words[at]; at += 2) {
        client.settings.set((words[at] ?? '').toLowerCase(), words[at + 1] ?? '');
      }
      const other = [...client.settings.keys()].find((name) => !TAKEN.has(name));
      if (other) return void socket.end(fatal('08P01', `unsupported startup parameter: ${other}`));
      isStarted = true;
      const made = message('K', Buffer.concat([int32(randomInt(2 ** 31)), int32(1)]));
      socket.write(Buffer.concat([message('R', int32(0)), made, readyForQuery('I')]));
    };
    eachMessage(
      socket,
      ({ type, body, whole }) => {
        if (!isStarted) return begin(body);
        if (type === 'X') return void socket.end();
        if (client.backend) return void client.backend.socket.write(whole);
        client.waiting.push(whole);
        if (client.waiting.length === 1) queue.push(client);
        serve();
      },
      () => isStarted,
    );
    socket.on('error', () => socket.destroy());
    // A session that ends within a transaction takes its server connection with it.
    socket.on('close', () => {
      if (queue.includes(client)) queue.splice(queue.indexOf(client), 1);
      client.backend?.socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.close();
    for (const { socket } of backends) socket.destroy();
  });
  target.hostname = '127.0.0.1';
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return url.toString();
}
