import type { DuckDBConnection } from '@duckdb/node-api';
import { streamChunks } from '../../storage/read-chunks.ts';
import { keyAt, readWords } from './chunks.ts';
import { KEY_WORDS } from './format.ts';

export async function readKeys(connection: DuckDBConnection, rows: string): Promise<Uint32Array> {
  const found: Uint32Array[] = [];
  for await (const chunk of streamChunks(connection, rows)) {
    const words = readWords(chunk, 0, KEY_WORDS);
    const keys = new Uint32Array(chunk.rowCount * KEY_WORDS);
    for (let row = 0; row < chunk.rowCount; row += 1) keys.set(keyAt(words, row), row * KEY_WORDS);
    found.push(keys);
  }
  const all = new Uint32Array(found.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  for (const keys of found) {
    all.set(keys, place);
    place += keys.length;
  }
  return all;
}
