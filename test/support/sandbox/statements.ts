import fc from 'fast-check';

export type Targets = { secretFile: string; otherFile: string; ownFile: string; writable: string };

/** Every way out of DuckDB that is known, as a statement. */
export function waysOut({ secretFile, otherFile, ownFile, writable }: Targets): string[] {
  const readers = [
    ...['read_csv', 'read_csv_auto', 'read_json', 'read_json_auto', 'read_json_objects'],
    ...['read_ndjson', 'read_ndjson_auto', 'read_ndjson_objects', 'read_text', 'read_blob'],
    ...['read_parquet', 'parquet_scan', 'parquet_metadata', 'parquet_schema', 'sniff_csv'],
    ...['parquet_file_metadata', 'parquet_kv_metadata', 'parquet_bloom_probe', 'glob'],
    ...['read_duckdb', 'arrow_scan', 'sqlite_scan', 'postgres_scan', 'read_xlsx', 'iceberg_scan'],
  ];
  const files = [secretFile, otherFile, ownFile, '/etc/passwd', '/proc/self/environ', '/**'];
  const urls = ['https://example.com/x.csv', 's3://bucket/x.parquet', 'hf://datasets/x'];
  return [
    ...readers.flatMap((reader) => files.map((file) => `SELECT * FROM ${reader}('${file}')`)),
    ...files.map((file) => `SELECT * FROM '${file}'`),
    ...files.map((file) => `FROM "${file}"`),
    ...urls.map((url) => `SELECT * FROM read_csv('${url}')`),
    ...urls.map((url) => `FROM '${url}'`),
    `COPY events TO '${writable}'`,
    `COPY (SELECT 1) TO '${ownFile}' (FORMAT parquet)`,
    `COPY shared_events FROM '${otherFile}' (FORMAT parquet)`,
    `EXPORT DATABASE '${writable}'`,
    `IMPORT DATABASE '${writable}'`,
    `ATTACH '${writable}' AS other`,
    "ATTACH 'host=127.0.0.1' AS other (TYPE postgres)",
    `CREATE TABLE t AS FROM '${secretFile}'`,
    'CREATE TABLE t (a INTEGER)',
    'CREATE MACRO m() AS TABLE FROM shared_events',
    "CREATE SECRET s (TYPE s3, KEY_ID 'a', SECRET 'b')",
    'INSTALL httpfs',
    'INSTALL httpfs FROM community',
    'LOAD httpfs',
    `LOAD '${secretFile}'`,
    'SET enable_external_access = true',
    'SET lock_configuration = false',
    `SET allowed_paths = ['${secretFile}']`,
    `SET temp_directory = '${writable}'`,
    `SET GLOBAL log_query_path = '${writable}'`,
    'RESET enable_external_access',
    "PRAGMA enable_profiling = 'json'",
    `PRAGMA profiling_output = '${writable}'`,
    'PRAGMA database_list',
    "PRAGMA table_info('shared_events')",
    'CALL pragma_version()',
    "CALL enable_logging('QueryLog')",
    "SELECT getenv('CANARY')",
    "SELECT current_setting('allowed_paths')",
    'SELECT * FROM duckdb_secrets()',
    'SELECT * FROM duckdb_settings()',
    'SELECT * FROM duckdb_views()',
    'SELECT * FROM duckdb_extensions()',
    'SELECT * FROM duckdb_temporary_files()',
    'SELECT * FROM pragma_database_list',
    'SELECT * FROM information_schema.tables',
    'SELECT * FROM pg_catalog.pg_tables',
    'SELECT * FROM sqlite_master',
    'SELECT * FROM shared_events',
    'SELECT * FROM main.shared_events',
    'SELECT * FROM memory.main.events',
    'SELECT * FROM late_aliases',
    'SELECT * FROM erased_people',
    `WITH shared_events AS (SELECT 1) SELECT * FROM (FROM shared_events)`,
    `WITH "${ownFile}" AS (SELECT 1) SELECT 1 UNION ALL SELECT count(*) FROM "${ownFile}"`,
    `SELECT * FROM query('SELECT * FROM ''${secretFile}''')`,
    `SELECT * FROM query_table(['shared_events'])`,
    `SELECT * FROM query_table('${secretFile}')`,
    `SELECT json_execute_serialized_sql(json_serialize_sql('FROM shared_events'))`,
    `FROM json_execute_serialized_sql(json_serialize_sql('FROM shared_events'))`,
    `PRAGMA json_execute_serialized_sql(json_serialize_sql('FROM shared_events'))`,
    'SELECT 1; SELECT 2',
    `SELECT 1; COPY (SELECT 1) TO '${writable}'`,
    `SELECT 1 /* ; */; COPY (SELECT 1) TO '${writable}' -- x`,
    `EXPLAIN ANALYZE COPY (SELECT 1) TO '${writable}'`,
    'EXPLAIN SELECT 1',
    'PREPARE p AS SELECT 1',
    'EXECUTE p',
    'BEGIN TRANSACTION',
    'CHECKPOINT',
    'VACUUM',
    'DROP VIEW events',
    'DELETE FROM events',
    "INSERT INTO apps VALUES ('x')",
    'UPDATE apps SET slug = 1',
    "SELECT write_log('x')",
    'SHOW TABLES',
    'SHOW ALL TABLES',
    'SHOW DATABASES',
    'USE memory',
    `SELECT * FROM events AT (VERSION => 1)`,
    '.shell id',
    '\\copy events',
  ];
}

/** What is heavy rather than a way out: each ends, and the process lives on. */
export const HEAVY = [
  'SELECT count(*) FROM range(10000000000000) t(i) WHERE hash(i) = 1',
  'SELECT list(i) FROM range(1000000000) t(i)',
  "SELECT repeat('x', 1000000000)",
  'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r',
  'SELECT * FROM generate_series(1, 100000000000)',
  'SELECT count(*) FROM range(1000000) a, range(1000000) b, range(1000000) c',
];

const inCase = (text: string, isUpper: boolean) => (isUpper ? text.toUpperCase() : text);

const WRAPPERS: readonly ((inner: string) => string)[] = [
  (inner) => inner,
  (inner) => `SELECT * FROM (${inner}) AS x`,
  (inner) => `WITH a AS (${inner}) SELECT * FROM a`,
  (inner) => `WITH a AS MATERIALIZED (${inner}) SELECT * FROM a, events`,
  (inner) => `SELECT (SELECT count(*) FROM (${inner}))`,
  (inner) => `SELECT 1 WHERE EXISTS (${inner})`,
  (inner) => `SELECT name FROM events UNION ALL SELECT x::VARCHAR FROM (${inner}) t(x)`,
  (inner) => `SELECT * FROM events LEFT JOIN (${inner}) o ON true`,
  (inner) => `SELECT * FROM events, LATERAL (${inner}) l`,
  (inner) => `(${inner}) UNION ALL (${inner})`,
  (inner) => `${inner} LIMIT 5`,
  (inner) => `/* ${inner} */ ${inner}`,
  (inner) => `-- x\n${inner}`,
  (inner) => `${inner};`,
  (inner) => `SELECT 1; ${inner}`,
  (inner) => `EXPLAIN ANALYZE ${inner}`,
  (inner) => `SUMMARIZE ${inner}`,
  (inner) => `DESCRIBE ${inner}`,
  (inner) => `COPY (${inner}) TO STDOUT`,
  (inner) => `CREATE TABLE stolen AS ${inner}`,
  (inner) => `SELECT * FROM query('${inner.replaceAll("'", "''")}')`,
  (inner) => `SELECT list_transform([1], lambda v: (SELECT count(*) FROM (${inner})))`,
];

const HARMLESS = [
  'SELECT name, count(*) FROM events GROUP BY ALL',
  'FROM people',
  'SELECT * FROM apps',
  'SELECT props FROM events ORDER BY occurred_at',
];

/** Ways out and questions, in parts of each other, with noise. */
export function statements(targets: Targets): fc.Arbitrary<string> {
  const core = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...waysOut(targets)) },
    { weight: 1, arbitrary: fc.constantFrom(...HARMLESS) },
  );
  const shape = fc.array(fc.constantFrom(...WRAPPERS), { maxLength: 3 });
  const noise = fc.tuple(
    fc.boolean(),
    fc.nat({ max: 40 }),
    fc.constantFrom(
      ...['', '', '', "'", '"', ')', '--', '/*', '\u00a0', '\u200b', '$$', ';', '\\'],
    ),
  );
  return fc.tuple(core, shape, noise).map(([inner, wrappers, [isUpper, at, odd]]) => {
    const text = wrappers.reduce((made, wrap) => wrap(made), inner);
    const noisy = odd === '' ? text : text.slice(0, at) + odd + text.slice(at);
    return noisy.includes("'") ? noisy : inCase(noisy, isUpper);
  });
}
