import { findPython } from './tools.ts';

export const findPyIceberg = () =>
  findPython(
    'pyiceberg-0.12.0',
    ['pyiceberg[pyarrow,sql-postgres]==0.12.0'],
    'pyiceberg, pyarrow, psycopg2',
  );

/** DuckDB for Python with the extensions that PyPI has. */
export const findDuckDb = () =>
  findPython(
    'duckdb-1.5.5',
    [
      'duckdb==1.5.5',
      ...['iceberg', 'avro', 'httpfs', 'icu'].map((name) => `duckdb-extension-${name}==1.5.5`),
    ],
    'duckdb, duckdb_extension_iceberg',
  );

/** ClickHouse in a process. */
export const findClickHouse = () => findPython('chdb-4.4.0', ['chdb==4.4.0'], 'chdb');
