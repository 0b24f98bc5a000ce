import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Deps } from '../../context.ts';
import * as model from '../../modules/sql/model.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { openDuck } from '../../storage/duckdb.ts';
import { makePrivateFolder } from '../../storage/files.ts';
import { VIEW_LIST } from '../../modules/sql/index.ts';
import { type CopyDeps, copyViews, HIDDEN, type Views } from './copy.ts';
import { type Run, runChild } from './run-child.ts';

const VIEW_NAMES = VIEW_LIST.map(({ name }) => name);
const COPY_MEMORY_MB = 256;
const COPY_TEMP_MB = 4_096;
const LEAST_MEMORY_MB = 128;
const MOST_MEMORY_MB = 512;
const MOST_THREADS = 2;
const INTERRUPT_AGAIN_MS = 50;

export type AnswerDeps = CopyDeps & Pick<Deps, 'config'>;

export const sqlFolder = ({ dataDir }: Deps['config'], index: number): string =>
  join(dataDir, 'tmp', `sql-${index}`);

/** In the process with credentials: the question is only searched for names of views. */
async function copyInTime(
  deps: AnswerDeps,
  question: model.SentQuestion & { folder: string },
  { leftMs, signal }: { leftMs: number; signal: AbortSignal },
): Promise<Views> {
  const duck = await openDuck({
    memoryMb: COPY_MEMORY_MB,
    threads: 1,
    tempDir: join(question.folder, 'spilled'),
    tempLimitMb: COPY_TEMP_MB,
  });
  let timer: Timer | undefined;
  const connection = await duck.connect();
  const interrupt = () => {
    clearTimeout(timer);
    connection.interrupt();
    timer = setTimeout(interrupt, INTERRUPT_AGAIN_MS);
  };
  timer = setTimeout(interrupt, leftMs);
  signal.addEventListener('abort', interrupt, { once: true });
  if (signal.aborted) interrupt();
  try {
    return await copyViews(connection, deps, question);
  } finally {
    signal.removeEventListener('abort', interrupt);
    clearTimeout(timer);
    connection.closeSync();
    duck.closeSync();
  }
}

export async function answerSql(
  deps: AnswerDeps,
  question: model.SentQuestion,
  { parent, ...run }: Run & { parent: string },
): Promise<model.SqlReply> {
  const { signal } = run;
  signal.throwIfAborted();
  const endsAt = performance.now() + model.MAX_SECONDS * SECOND_MS;
  const leftMs = () => Math.max(1, Math.floor(endsAt - performance.now()));
  const folder = join(parent, crypto.randomUUID());
  makePrivateFolder(folder);
  try {
    const { setup, paths, dataThroughMs } = await copyInTime(
      deps,
      { ...question, folder },
      { leftMs: leftMs(), signal },
    );
    signal.throwIfAborted();
    const { memoryMb } = deps.config.query;
    const reply = await runChild(
      folder,
      {
        ...{ setup, paths, views: VIEW_NAMES, hidden: HIDDEN, sql: question.sql },
        parameters: question.parameters,
        ...{ timeMs: leftMs(), maxRows: model.MAX_ROWS, maxBytes: model.MAX_BYTES },
        memoryMb: Math.min(MOST_MEMORY_MB, Math.max(LEAST_MEMORY_MB, Math.floor(memoryMb / 2))),
        threads: Math.min(MOST_THREADS, availableParallelism()),
      },
      run,
    );
    return 'fault' in reply ? reply : { ...reply, dataThroughMs };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
