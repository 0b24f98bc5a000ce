import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { parser } from '../../src/shared/schema.ts';
import { option } from './options.ts';

const VERSION = '4.4.0';

const Reply = Type.Object({ ms: Type.Number(), rows: Type.Array(Type.Array(Type.Unknown())) });
const reply = parser(Reply, 'reply of chDB');

export type Chdb = {
  /** The rows of an answer and the milliseconds that it took, in the process that has ClickHouse. */
  ask: (sql: string) => Promise<{ ms: number; rows: unknown[][] }>;
  close: () => Promise<void>;
};

/** The lines of a stream, one a call; null when it has ended. */
function lineReader(stream: ReadableStream<Uint8Array>): () => Promise<string | null> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let read = '';
  return async () => {
    while (!read.includes('\n')) {
      const { value, done } = await reader.read();
      if (done) return null;
      read += decoder.decode(value, { stream: true });
    }
    const end = read.indexOf('\n');
    const line = read.slice(0, end);
    read = read.slice(end + 1);
    return line;
  };
}

/** Makes a virtual environment unless it is there. Null where Python or pip cannot, and says why. */
async function install(folder: string): Promise<string | null> {
  const python = `${folder}/bin/python`;
  if (existsSync(python)) return python;
  const isNew = !existsSync(folder);
  const commands = [
    ['python3', '-m', 'venv', folder],
    [python, '-m', 'pip', 'install', '--quiet', `chdb==${VERSION}`],
  ];
  for (const command of commands) {
    const child = Bun.spawn(command, { stdout: 'ignore', stderr: 'pipe' });
    const said = await new Response(child.stderr).text();
    if ((await child.exited) === 0) continue;
    // Half made, it would pass for whole in the next run.
    if (isNew) rmSync(folder, { recursive: true, force: true });
    const reason = said.trim().split('\n').at(-1) ?? '';
    console.log(
      `  ClickHouse is left out: "${command.join(' ')}" failed (${reason}). It needs python3 with venv, and pip that reaches PyPI.`,
    );
    return null;
  }
  return python;
}

/**
 * ClickHouse in a process of its own, installed from PyPI, for this run or into the folder of
 * `--chdb=`; null where it cannot be.
 */
export async function openChdb(dataDir: string): Promise<Chdb | null> {
  const python = await install(option('chdb') ?? `${dataDir}/chdb`);
  if (python === null) return null;
  const child = Bun.spawn(
    [python, join(import.meta.dir, 'clickhouse.py'), `${dataDir}/chdb-data`],
    {
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'inherit',
    },
  );
  const line = lineReader(child.stdout);
  const nextLine = async () => {
    const text = await line();
    if (text === null) throw new Error('ClickHouse ended before it answered.');
    return text;
  };
  await nextLine();
  return {
    ask: async (sql) => {
      child.stdin.write(`${JSON.stringify(sql)}\n`);
      await child.stdin.flush();
      return reply.parse(JSON.parse(await nextLine()));
    },
    close: async () => {
      child.stdin.end();
      await child.exited;
    },
  };
}
