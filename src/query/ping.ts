import { querySocket } from './protocol.ts';

/** Resolves when the first query process of this host answers anything at all. */
export async function pingQueries(runDir: string): Promise<void> {
  await fetch('http://query/ping', { unix: querySocket(runDir, 0), keepalive: false });
}
