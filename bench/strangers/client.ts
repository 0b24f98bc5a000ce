import { connect } from 'node:net';

const { STRANGER_PORT: port, STRANGER_REQUESTS: file } = process.env;
if (port === undefined || file === undefined) throw new Error('bench/strangers/run.ts runs this.');

const CONNECTIONS = 200;
/** Each with the bytes of a whole request, in base64. */
const requests: string[] = await Bun.file(file).json();
const sent = requests.map((request) => Buffer.from(request, 'base64'));

let turn = 0;

/** Sends one request after the other, over a new connection where the last one ended. */
function keepSending(): void {
  const socket = connect(Number(port), '127.0.0.1');
  const next = () => {
    turn += 1;
    socket.write(sent[turn % sent.length] ?? '');
  };
  socket.on('connect', next);
  socket.on('data', () => {
    // Answered before all of the body was sent.
    if (socket.writableLength > 0) socket.destroy();
    else next();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => setTimeout(keepSending, 10));
}

for (let opened = 0; opened < CONNECTIONS; opened += 1) keepSending();
