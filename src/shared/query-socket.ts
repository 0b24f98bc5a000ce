import { join } from 'node:path';

export function querySocket(runDir: string, index: number): string {
  return join(runDir, `query-${index}.sock`);
}

export async function pingQueries(runDir: string): Promise<void> {
  await fetch('http://query/ping', { unix: querySocket(runDir, 0), keepalive: false });
}
