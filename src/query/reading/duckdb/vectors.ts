import type { DuckDBDataChunk } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { outside } from '../../../shared/assert.ts';

const LIST_ENTRY_BYTES = 16;
const BIGINT_BYTES = 8;
const INTEGER_BYTES = 4;

/** List `i` is `length(i)` children from `offset(i)` on. */
export class ListColumn {
  readonly rows: number;
  readonly #entries: Int32Array;
  readonly #child: duckdb.Vector;
  readonly #childCount: number;

  constructor(chunk: DuckDBDataChunk, column: number) {
    this.rows = chunk.rowCount;
    const vector = duckdb.data_chunk_get_vector(chunk.chunk, column);
    const bytes = duckdb.vector_get_data(vector, this.rows * LIST_ENTRY_BYTES);
    this.#entries = new Int32Array(bytes.buffer, bytes.byteOffset, this.rows * 4);
    this.#child = duckdb.list_vector_get_child(vector);
    this.#childCount = duckdb.list_vector_get_size(vector);
  }

  offset(row: number): number {
    return this.#entries[row * 4] ?? outside();
  }

  length(row: number): number {
    return this.#entries[row * 4 + 2] ?? outside();
  }

  longest(): number {
    let longest = 0;
    for (let row = 0; row < this.rows; row += 1) longest = Math.max(longest, this.length(row));
    return longest;
  }

  bigints(): Int32Array {
    return halves(this.#child, this.#childCount);
  }

  fieldBigints(field: number): Int32Array {
    return halves(duckdb.struct_vector_get_child(this.#child, field), this.#childCount);
  }

  fieldIntegers(field: number): Int32Array {
    const vector = duckdb.struct_vector_get_child(this.#child, field);
    const bytes = duckdb.vector_get_data(vector, this.#childCount * INTEGER_BYTES);
    return new Int32Array(bytes.buffer, bytes.byteOffset, this.#childCount);
  }
}

function halves(vector: duckdb.Vector, count: number): Int32Array {
  const bytes = duckdb.vector_get_data(vector, count * BIGINT_BYTES);
  return new Int32Array(bytes.buffer, bytes.byteOffset, count * 2);
}
