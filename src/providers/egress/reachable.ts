import { connect } from 'node:net';
import { sleep } from '../../shared/time.ts';

/** RFC 8305, 8. */
const NEXT_AFTER_MS = 250;
const MAX_ADDRESSES = 8;

type Place = { port: number; signal: AbortSignal };

function connects(host: string, { port, signal }: Place): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    const end = () => socket.destroy();
    signal.addEventListener('abort', end, { once: true });
    socket.once('connect', () => {
      end();
      resolve(host);
    });
    socket.once('error', reject);
    socket.once('close', () => {
      signal.removeEventListener('abort', end);
      reject(new Error('The connection was ended.'));
    });
  });
}

async function attempt(addresses: readonly string[], place: Place): Promise<string> {
  const [address, ...others] = addresses;
  if (address === undefined) throw new Error('There is no other address.');
  const own = connects(address, place);
  const state = await Promise.race([
    own.then(
      () => 'connected',
      () => 'failed',
    ),
    sleep(NEXT_AFTER_MS, place.signal),
  ]);
  if (state === 'connected' || place.signal.aborted || others.length === 0) return own;
  return Promise.any([own, attempt(others, place)]);
}

export async function firstReachable(
  addresses: readonly string[],
  { port, signal }: Place,
): Promise<string> {
  const ended = new AbortController();
  try {
    const tried = addresses.slice(0, MAX_ADDRESSES);
    return await attempt(tried, { port, signal: AbortSignal.any([signal, ended.signal]) });
  } catch (thrown) {
    throw thrown instanceof AggregateError ? thrown.errors[0] : thrown;
  } finally {
    ended.abort();
  }
}
