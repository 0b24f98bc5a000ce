import { join } from 'node:path';
import { toQueryFailure } from '../../query/failure/failure.ts';
import { ProcessCalls } from '../../query/process-calls.ts';
import { QueueFull, type Schedule } from '../../query/schedule/schedule.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { MAX_SECONDS, type SentQuestion, type SqlReply, sqlReply } from './model.ts';

export function sqlSocket(runDir: string, index: number): string {
  return join(runDir, `sql-${index}.sock`);
}

export type AskSql = (question: SentQuestion, signal?: AbortSignal) => Promise<SqlReply>;

function toReply(thrown: unknown): SqlReply {
  if (thrown instanceof QueueFull) return { fault: 'busy', message: thrown.message };
  const { kind, message } = toQueryFailure(thrown);
  return { fault: kind === 'timeout' ? kind : 'lost', message };
}

export function createSqlQuestions(
  { runDir, query: { processes } }: { runDir: string; query: { processes: number } },
  schedule: Schedule,
): AskSql {
  const socket = (index: number) => sqlSocket(runDir, index);
  const calls = new ProcessCalls({ socket, processes, limitMs: MAX_SECONDS * SECOND_MS });
  return async (question, signal) => {
    const body = JSON.stringify(question);
    const { orgId } = question;
    const send = schedule.run(
      { orgId, likeness: orgId },
      async (turn) => sqlReply.parse(await calls.ask({ path: '', body }, turn)),
      signal,
    );
    return send.catch(toReply);
  };
}
