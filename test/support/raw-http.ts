import { connect } from 'node:net';

export type RawAnswer = { status: number; headers: Headers; body: string };

function parse(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return { status: Number(statusLine.split(' ')[1]), headers, body: text.slice(end + 4) };
}

/**
 * Sends bytes that no HTTP client would send and reads until the server closes, which every request
 * here asks for. An empty answer has the status NaN.
 */
export function sendRaw(address: string, head: readonly string[], body = ''): Promise<RawAnswer> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`);
    });
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      received += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(parse(received)));
  });
}
