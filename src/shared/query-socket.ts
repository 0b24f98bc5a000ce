import { join } from 'node:path';

export function querySocket(runDir: string, index: number): string {
  return join(runDir, `query-${index}.sock`);
}

export async function pingQueries(runDir: string): Promise<void> {
  await fetch('http://query/ping', { unix: querySocket(runDir, 0), keepalive: false });
}

/** Activities that ask events, in words. */
export const ASKING = {
  writeDigest: 'digests',
  checkWatches: 'watches',
  checkAlerts: 'alerts',
  answerRefundRequest: 'refund answers',
} as const;
