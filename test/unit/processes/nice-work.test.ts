import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../support/sources.ts';

const SCRIPT = `
  import { readdirSync, readFileSync } from 'node:fs';
  import { getPriority } from 'node:os';
  import { keepWorkNice } from '${join(ROOT, 'src/app/processes/nice-work.ts')}';
  import { DuckDBInstance } from '@duckdb/node-api';
  const stopping = new AbortController();
  const duck = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await duck.connect();
  const loop = keepWorkNice(stopping.signal);
  await connection.run('SELECT count(DISTINCT hash(i)) FROM range(100000) t(i)');
  stopping.abort();
  await loop;
  const pool = readdirSync('/proc/self/task')
    .filter((id) => readFileSync('/proc/self/task/' + id + '/comm', 'utf8').startsWith('Bun Pool'))
    .map((id) => getPriority(Number(id)));
  console.log(JSON.stringify({ own: getPriority(), pool }));
`;

test.skipIf(!existsSync('/proc/self/task'))(
  'merges and corrections of a worker yield to questions, and its workflows do not',
  async () => {
    const child = Bun.spawn([process.execPath, '-e', SCRIPT], { cwd: ROOT, stdout: 'pipe' });
    const { own, pool } = JSON.parse(await new Response(child.stdout).text());
    expect(pool.length).toBeGreaterThan(0);
    expect(new Set(pool)).toEqual(new Set([Math.max(own, 10)]));
  },
);
