import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import { at } from '../../shared/assert.ts';
import { textOrNull } from '../../shared/text.ts';
import { checkRows } from '../../storage/missing-rows.ts';
import { streamChunks } from '../../storage/read-chunks.ts';
import { bigintAt, IS_DEVELOPMENT_SQL, keyAt, readIntegers, readWords } from './chunks.ts';
import { FileRows } from './file-rows.ts';
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

/** `props` serve only the projection. */
export type ReadRows = { rows: FileRows; props: (string | null)[] };

const COLUMNS = `person_key, epoch_us(occurred_at), is_anonymous::INTEGER,
  (${IS_DEVELOPMENT_SQL})::INTEGER, name, platform, app_version, country, props`;

function addChunk(files: readonly ReadRows[], chunk: DuckDBDataChunk): number {
  let characters = 0;
  const numbers = readIntegers(chunk, 0);
  const keys = readWords(chunk, 1, 4);
  const times = readWords(chunk, 2, 2);
  const anonymous = readIntegers(chunk, 3);
  const development = readIntegers(chunk, 4);
  const [names, platforms, versions, countries, texts] = [5, 6, 7, 8, 9].map((column) =>
    chunk.getColumnVector(column),
  );
  for (let row = 0; row < chunk.rowCount; row += 1) {
    const { rows, props } = at(files, numbers[row]);
    rows.add({
      key: keyAt(keys, row),
      isAnonymous: anonymous[row] !== 0,
      name: String(names?.getItem(row)),
      isDevelopment: development[row] !== 0,
      timeUs: bigintAt(times, row),
      sender: {
        platform: textOrNull(platforms?.getItem(row) ?? null),
        version: textOrNull(versions?.getItem(row) ?? null),
        country: textOrNull(countries?.getItem(row) ?? null),
      },
    });
    const text = textOrNull(texts?.getItem(row) ?? null);
    characters += text?.length ?? 0;
    props.push(text);
  }
  return characters;
}

/** For small files; null when their props exceed the limit. */
export async function readFileRows(
  connection: DuckDBConnection,
  parts: readonly { from: string; rows: number }[],
  maxPropsCharacters: number,
): Promise<ReadRows[] | null> {
  const files = parts.map((): ReadRows => ({ rows: new FileRows(), props: [] }));
  const selects = parts.map(({ from }, number) => `SELECT ${number}, ${COLUMNS} FROM ${from}`);
  let characters = 0;
  for await (const chunk of streamChunks(connection, selects.join(' UNION ALL '))) {
    characters += addChunk(files, chunk);
    if (characters > maxPropsCharacters) return null;
  }
  for (const [number, { from, rows }] of parts.entries()) {
    checkRows(at(files, number).rows.length, rows, from);
  }
  return files;
}
