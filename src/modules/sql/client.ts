import { join } from 'node:path';
import { SECOND_MS } from '../../shared/time.ts';
import { MAX_SECONDS, type SentQuestion, type SqlReply, sqlReply } from './model.ts';

const REPLY_GRACE_MS = 15 * SECOND_MS;

export function sqlSocket(runDir: string, index: number): string {
  return join(runDir, `sql-${index}.sock`);
}

export type AskSql = (question: SentQuestion, signal?: AbortSignal) => Promise<SqlReply>;

/** An organization asks one process, which counts its questions. */
export function createSqlQuestions(runDir: string, processes: number): AskSql {
  return async (question, signal) => {
    const index = Number(BigInt(Bun.hash(question.orgId)) % BigInt(processes));
    const late = AbortSignal.timeout(MAX_SECONDS * SECOND_MS + REPLY_GRACE_MS);
    const response = await fetch('http://sql/', {
      method: 'POST',
      body: JSON.stringify(question),
      unix: sqlSocket(runDir, index),
      signal: signal ? AbortSignal.any([late, signal]) : late,
      keepalive: false,
    });
    return sqlReply.parse(await response.json());
  };
}

declare module '../../context.ts' {
  interface Deps {
    askSql: AskSql;
  }
}
