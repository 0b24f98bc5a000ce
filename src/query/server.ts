import { chmodSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Logger } from '../observability/log.ts';
import { makePrivateFolder } from '../storage/files.ts';
import type { QueryEngine, QueryRunner } from './engine.ts';
import { toQueryFailure } from './failure/failure.ts';
import { type AnswerOf, isQueryKind, QUESTIONS, type QueryKind, type QuestionOf } from './kinds.ts';
import { parsePath, type QueryReply } from './protocol.ts';
import type { LakeQuestions } from './reading/lake/questions.ts';
import type { QueryForm, QueryRun } from './reading/run.ts';
import { countedFrom } from './reading/source/events.ts';
import { listTraits } from './selection/dimension.ts';
import { readAsker, laneOf, limitOf, OVERRUN_STATUS } from './schedule/places.ts';
import type { AppSelection } from './selection/selection.ts';

export async function answerHere<K extends QueryKind>(
  engine: QueryRunner,
  kind: K,
  asked: QuestionOf<K>,
  onRead: (events: number) => void = () => undefined,
  noteForm: QueryRun['noteForm'] = () => undefined,
): Promise<AnswerOf<K>> {
  const { plan, selection, needs, newest, count } = QUESTIONS[kind];
  const question = plan?.(asked) ?? asked;
  const counted = await count();
  const ask = (some: Pick<AppSelection, 'newest'>) =>
    engine.run(
      {
        ...{ ...selection(question), ...some },
        ...{ memberships: question.memberships, traits: listTraits(question) },
      },
      needs(question),
      (run) => {
        onRead(countedFrom(run));
        return counted({ ...run, noteForm }, question);
      },
    );
  for (const rows of newest?.counts(question) ?? []) {
    const answer = await ask({ newest: rows });
    if (newest?.isEnough(answer, question)) return answer;
  }
  return ask({});
}

async function reply<K extends QueryKind>(
  engine: QueryEngine,
  kind: K,
  request: Request,
  limit: AbortSignal,
): Promise<QueryReply> {
  const question = QUESTIONS[kind].question.parse(await request.json());
  let countedFrom = 0;
  let form: QueryForm = 'other';
  const signal = AbortSignal.any([request.signal, limit]);
  const runner = engine.until(signal, laneOf(request), readAsker(request));
  const onRead = (events: number) => {
    countedFrom = events;
  };
  const answer = await answerHere(runner, kind, question, onRead, (taken) => {
    if (form !== 'sql') form = taken;
  });
  return { answer, countedFrom, form };
}

async function replyFromLake<K extends QueryKind>(
  lake: LakeQuestions | null,
  kind: K,
  request: Request,
): Promise<QueryReply> {
  const question = QUESTIONS[kind].question.parse(await request.json());
  const answer = (await lake?.answer(QUESTIONS[kind], question, request.signal)) ?? null;
  return { answer, form: 'lake' };
}

export type QueryServerOptions = {
  engine: QueryEngine;
  lake: LakeQuestions | null;
  socketPath: string;
  log: Logger;
};

export type QueryServer = { stop: () => Promise<void> };

export function serveQueries({ engine, lake, socketPath, log }: QueryServerOptions): QueryServer {
  makePrivateFolder(dirname(socketPath));
  // Left by a killed process; two processes never have the same index.
  rmSync(socketPath, { force: true });
  const server = Bun.serve({
    unix: socketPath,
    async fetch(request, server) {
      // Queries have their own timeout; Bun's is ten idle seconds.
      server.timeout(request, 0);
      const { kind, isForLake } = parsePath(new URL(request.url).pathname.slice(1));
      if (!isQueryKind(kind)) return new Response(null, { status: 404 });
      const limit = limitOf(laneOf(request));
      const startedAt = performance.now();
      const durationMs = () => Math.round(performance.now() - startedAt);
      try {
        const answer = isForLake
          ? await replyFromLake(lake, kind, request)
          : await reply(engine, kind, request, limit);
        log.debug({ kind, durationMs: durationMs() }, 'query answered');
        return Response.json(answer);
      } catch (thrown) {
        if (limit.aborted) return new Response(null, { status: OVERRUN_STATUS });
        const fault = toQueryFailure(thrown);
        log.warn({ kind, fault: fault.kind, err: fault, durationMs: durationMs() }, 'query failed');
        const failed: QueryReply = { fault: fault.kind, message: fault.message };
        return Response.json(failed);
      }
    },
  });
  chmodSync(socketPath, 0o600);
  return { stop: () => server.stop() };
}
