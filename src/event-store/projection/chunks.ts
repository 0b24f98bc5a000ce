import type { DuckDBDataChunk } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';

/** DuckDB flips the sign bit of a UUID's upper half for sorting. */
const UUID_SIGN = 0x80000000;

export const IS_DEVELOPMENT_SQL = "environment = 'development'";

export type Key = readonly [number, number, number, number];

export function readIntegers(chunk: DuckDBDataChunk, column: number): Int32Array {
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, column);
  const { buffer, byteOffset } = duckdb.vector_get_data(vector, chunk.rowCount * 4);
  return new Int32Array(buffer, byteOffset, chunk.rowCount);
}

export function readWords(chunk: DuckDBDataChunk, column: number, words: number): Uint32Array {
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, column);
  const { buffer, byteOffset } = duckdb.vector_get_data(vector, chunk.rowCount * words * 4);
  return new Uint32Array(buffer, byteOffset, chunk.rowCount * words);
}

export const keyAt = (words: Uint32Array, row: number): Key => [
  (words[row * 4 + 3] ^ UUID_SIGN) >>> 0,
  words[row * 4 + 2],
  words[row * 4 + 1],
  words[row * 4],
];

export const bigintAt = (words: Uint32Array, row: number): number =>
  (words[row * 2 + 1] | 0) * 2 ** 32 + words[row * 2];
