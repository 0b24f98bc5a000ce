import { chmodSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Deps } from '../../context.ts';
import { sqlSocket } from '../../modules/sql/client.ts';
import { type SqlReply, sentQuestion } from '../../modules/sql/model.ts';
import { toQueryFailure } from '../../query/failure/failure.ts';
import { laneOf, limitOf, OVERRUN_STATUS, USED_HEADER } from '../../query/schedule/places.ts';
import { Overrun } from '../../query/schedule/schedule.ts';
import { PLACES } from '../../query/schedule/schedules.ts';
import { limitConcurrency } from '../../shared/concurrency.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { makePrivateFolder } from '../../storage/files.ts';
import { type AnswerDeps, answerSql, sqlFolder } from './answer.ts';

/** Its sandbox is ended by processor time before. */
const SHORT_TRY_SECONDS = 5;

export type SqlServer = { stop: () => Promise<void> };

function toReply(thrown: unknown): SqlReply {
  const { kind, message } = toQueryFailure(thrown);
  return { fault: kind === 'timeout' || kind === 'memory' ? kind : 'lost', message };
}

/** Runs in a query process with reports' questions: it has the log in memory. */
export function serveSql(deps: AnswerDeps & Pick<Deps, 'log'>, index: number): SqlServer {
  const { config, log } = deps;
  const parent = sqlFolder(config, index);
  const socketPath = sqlSocket(config.runDir, index);
  // Left by a killed process.
  rmSync(parent, { recursive: true, force: true });
  rmSync(socketPath, { force: true });
  makePrivateFolder(dirname(socketPath));
  makePrivateFolder(parent);
  const slots = { long: limitConcurrency(PLACES.long), short: limitConcurrency(PLACES.short) };
  const server = Bun.serve({
    unix: socketPath,
    async fetch(request, server) {
      server.timeout(request, 0);
      const lane = laneOf(request);
      const limit = limitOf(lane, SHORT_TRY_SECONDS);
      const signal = AbortSignal.any([request.signal, limit]);
      const startedAt = performance.now();
      const question = sentQuestion.parse(await request.json());
      const used: number[] = [];
      const onUsed = (processorSeconds: number) => used.push(processorSeconds);
      const answer = () => answerSql(deps, question, { parent, signal, lane, onUsed });
      const reply = await slots[lane](answer).catch((thrown: unknown) =>
        thrown instanceof Overrun ? null : toReply(thrown),
      );
      if (limit.aborted || !reply) return new Response(null, { status: OVERRUN_STATUS });
      const durationMs = Math.round(performance.now() - startedAt);
      if ('fault' in reply && reply.fault !== 'refused' && !signal.aborted) {
        log.warn({ ...reply, durationMs }, 'SQL question failed');
      }
      const [usedSeconds] = used;
      // The copy of views is not in it.
      const isShort = usedSeconds !== undefined && durationMs <= SHORT_TRY_SECONDS * SECOND_MS;
      return Response.json(reply, {
        headers: isShort ? { [USED_HEADER]: String(usedSeconds) } : {},
      });
    },
  });
  chmodSync(socketPath, 0o600);
  return { stop: () => server.stop() };
}
