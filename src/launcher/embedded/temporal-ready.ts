import { connect } from 'node:http2';

const PATH = '/temporal.api.workflowservice.v1.WorkflowService/DescribeNamespace';
const ANSWER_WITHIN_MS = 2_000;

/** A length-prefixed gRPC message: protobuf with the name in field 1. */
function request(namespace: string): Buffer {
  const name = Buffer.from(namespace);
  const message = Buffer.concat([Buffer.from([0x0a, name.length]), name]);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/**
 * Whether the server on this local port serves the namespace, over gRPC. Hand-written, so that the
 * supervisor does not load the whole gRPC library for one call.
 */
export function namespaceAnswers(port: number, namespace: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const session = connect(`http://127.0.0.1:${port}`);
  session.on('error', () => resolve(false));
  const stream = session.request({
    ':method': 'POST',
    ':path': PATH,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  stream.setTimeout(ANSWER_WITHIN_MS, () => resolve(false));
  // An error has its status in the headers, a success in the trailers.
  stream.on('response', (headers) => {
    if (headers['grpc-status'] !== undefined) resolve(headers['grpc-status'] === '0');
  });
  stream.on('trailers', (headers) => resolve(headers['grpc-status'] === '0'));
  stream.on('error', () => resolve(false));
  stream.on('close', () => resolve(false));
  stream.resume();
  stream.end(request(namespace));
  return promise.finally(() => session.destroy());
}
