import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { textList } from '../../storage/duckdb-literal.ts';
import type { ChildQuestion } from './protocol.ts';

/** Irreversible: afterwards DuckDB reads nothing else. */
export async function openViews(question: ChildQuestion): Promise<DuckDBConnection> {
  const duck = await DuckDBInstance.create(':memory:', {
    memory_limit: `${question.memoryMb}MB`,
    threads: String(question.threads),
    // Nothing is written, not even what does not fit.
    temp_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  });
  const connection = await duck.connect();
  for (const sql of question.setup) await connection.run(sql);
  await connection.run(`SET allowed_paths = [${textList(question.paths)}]`);
  await connection.run('SET enable_external_access = false');
  await connection.run('SET lock_configuration = true');
  return connection;
}
