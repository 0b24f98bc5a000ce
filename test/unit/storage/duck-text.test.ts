import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDuck } from '../../../src/storage/duckdb.ts';
import { textLiteral } from '../../../src/storage/duckdb-literal.ts';

const tempDir = mkdtempSync(join(tmpdir(), 'duck-text-'));
const duck = await openDuck({ memoryMb: 64, threads: 1, tempDir, tempLimitMb: 1 });
const connection = await duck.connect();
afterAll(() => {
  connection.closeSync();
  rmSync(tempDir, { recursive: true, force: true });
});

const MARK = '\ufeff';
const LONG = 'x'.repeat(40);

test.each([MARK, `${MARK}bob`, `${MARK}${MARK}`, `bob${MARK}`, `${MARK}${LONG}`, ' bob ', '\t'])(
  'a text comes back from DuckDB as it was given: %j',
  async (text) => {
    const result = await connection.runAndReadAll(`SELECT ${textLiteral(text)} AS text`);
    expect(result.getRowObjects()).toEqual([{ text }]);
  },
);
