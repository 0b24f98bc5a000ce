import type { DuckDBDataChunk } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { outside } from '../../shared/assert.ts';

/** DuckDB keeps the sign of the upper half of a UUID the other way round, so that it sorts. */
const UUID_SIGN = 0x80000000;

export const IS_DEVELOPMENT_SQL = "environment = 'development'";

/** The four words of a person's key. */
export type Key = readonly [number, number, number, number];

/** The numbers of one column of a chunk. */
export function integersOf(chunk: DuckDBDataChunk, column: number): Int32Array {
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, column);
  const { buffer, byteOffset } = duckdb.vector_get_data(vector, chunk.rowCount * 4);
  return new Int32Array(buffer, byteOffset, chunk.rowCount);
}

export function wordsOf(chunk: DuckDBDataChunk, column: number, words: number): Uint32Array {
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, column);
  const { buffer, byteOffset } = duckdb.vector_get_data(vector, chunk.rowCount * words * 4);
  return new Uint32Array(buffer, byteOffset, chunk.rowCount * words);
}

/** The key of a row in the words of UUIDs. */
export const keyAt = (words: Uint32Array, row: number): Key => [
  ((words[row * 4 + 3] ?? outside()) ^ UUID_SIGN) >>> 0,
  words[row * 4 + 2] ?? outside(),
  words[row * 4 + 1] ?? outside(),
  words[row * 4] ?? outside(),
];

/** The number of a row in the words of BIGINTs. */
export const bigintAt = (words: Uint32Array, row: number): number =>
  ((words[row * 2 + 1] ?? outside()) | 0) * 2 ** 32 + (words[row * 2] ?? outside());
