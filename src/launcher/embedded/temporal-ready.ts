import { connect } from 'node:http2';

const PATH = '/temporal.api.workflowservice.v1.WorkflowService/DescribeNamespace';
const ANSWER_WITHIN_MS = 2_000;

/** Length-prefixed gRPC message: protobuf with the name in field 1. */
function request(namespace: string): Buffer {
  const name = Buffer.from(namespace);
  const message = Buffer.concat([Buffer.from([0x0a, name.length]), name]);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** `gone`: the server answers without this namespace. */
export type NamespaceState = 'away' | 'gone' | 'there';

const STATES: Record<string, NamespaceState> = { 0: 'there', 5: 'gone' };
const toState = (status: unknown): NamespaceState => STATES[String(status)] ?? 'away';

/** Hand-written gRPC spares the supervisor the whole library. */
export function namespaceState(port: number, namespace: string): Promise<NamespaceState> {
  const { promise, resolve } = Promise.withResolvers<NamespaceState>();
  const session = connect(`http://127.0.0.1:${port}`);
  const giveUp = () => resolve('away');
  session.on('error', giveUp);
  const stream = session.request({
    ':method': 'POST',
    ':path': PATH,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  stream.setTimeout(ANSWER_WITHIN_MS, giveUp);
  // Errors carry their status in headers, successes in trailers.
  stream.on('response', (headers) => {
    if (headers['grpc-status'] !== undefined) resolve(toState(headers['grpc-status']));
  });
  stream.on('trailers', (headers) => resolve(toState(headers['grpc-status'])));
  stream.on('error', giveUp);
  stream.on('close', giveUp);
  stream.resume();
  stream.end(request(namespace));
  return promise.finally(() => session.destroy());
}
