import { chmodSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Logger } from '../observability/log.ts';
import { at } from '../shared/assert.ts';
import { makePrivateFolder } from '../storage/files.ts';
import { retentionPeople, seriesPeople } from './behind/list.ts';
import type { QueryEngine, QueryRunner } from './engine.ts';
import { lastReceived, PERSON_NEEDS, personEvents } from './events/list.ts';
import { SEARCH_NEEDS, searchPeople } from './events/search.ts';
import { compareArms } from './experiment/compare.ts';
import { toQueryFailure } from './failure.ts';
import { findFirstEvent, firstEventNeeds } from './first-event/find.ts';
import { loadArms } from './funnel/arms.ts';
import { countFunnel } from './funnel/count.ts';
import { type FunnelRules, readFromUs, stepsBeforeUs } from './funnel/model.ts';
import { funnelPeople } from './funnel/people.ts';
import { armNeeds, funnelCountNeeds, funnelNeeds } from './funnel/relation.ts';
import { listNames } from './names/list.ts';
import { listProperties, propertiesNeeds } from './properties/list.ts';
import {
  type AnswerOf,
  isQueryKind,
  QUESTIONS,
  type QueryKind,
  type QueryReply,
  type QuestionOf,
} from './protocol.ts';
import { retentionCountNeeds, retentionNeeds, retentionWindow } from './retention/cohorts.ts';
import { countRetention } from './retention/count.ts';
import { countSeries, seriesCountNeeds, seriesNeeds } from './series/count.ts';
import { SUMMARY_COUNT_NEEDS, SUMMARY_NEEDS, summarise } from './summary/summarise.ts';
import { firstSeen, VERSIONS_NEEDS } from './versions/first-seen.ts';

type Handlers = {
  readonly [K in QueryKind]: (engine: QueryRunner, question: QuestionOf<K>) => Promise<AnswerOf<K>>;
};

function funnelWindow(rules: FunnelRules) {
  const { orgId, appId, environment } = rules;
  const [fromUs, beforeUs] = [readFromUs(rules), stepsBeforeUs(rules)];
  return { orgId, appId, fromUs, beforeUs, environment };
}

function seriesWindow({
  orgId,
  appId,
  boundariesUs,
  environment,
}: Pick<QuestionOf<'series'>, 'orgId' | 'appId' | 'boundariesUs' | 'environment'>) {
  const [fromUs, beforeUs] = [at(boundariesUs, 0), at(boundariesUs, boundariesUs.length - 1)];
  return { orgId, appId, fromUs, beforeUs, environment };
}

const HANDLERS: Handlers = {
  funnel: (engine, question) => {
    const { breakdown } = question;
    const window = funnelWindow(question);
    if (breakdown?.kind !== 'arm') {
      const needs = funnelCountNeeds(question, breakdown);
      return engine.run(window, needs, ({ connection, source, checkTime, threads }) =>
        countFunnel(connection, source, question, checkTime, threads),
      );
    }
    // People may have been assigned an arm long before the window of the report.
    const fromUs = Math.min(window.fromUs, breakdown.exposedFromUs);
    const armWindow = { ...window, fromUs };
    return engine.run(
      armWindow,
      armNeeds(question),
      async ({ connection, source, checkTime, threads }) => {
        await loadArms(connection, source, breakdown, window.beforeUs);
        return countFunnel(connection, source, question, checkTime, threads);
      },
    );
  },
  experiment: (engine, question) => {
    const { steps, windowUs, measure } = question;
    const horizonUs = measure?.horizonUs ?? 0;
    const window = funnelWindow({ ...question, windowUs: Math.max(windowUs, horizonUs) });
    const needs = armNeeds({ steps: [...steps, ...(measure?.events ?? [])] });
    return engine.run(window, needs, ({ connection, source, checkTime }) =>
      compareArms(connection, source, question, checkTime),
    );
  },
  'funnel-people': (engine, question) =>
    engine.run(funnelWindow(question), funnelNeeds(question), ({ connection, source, checkTime }) =>
      funnelPeople(connection, source, question, checkTime),
    ),
  summary: (engine, question) =>
    engine.run(question, SUMMARY_COUNT_NEEDS, ({ connection, source, checkTime, threads }) =>
      summarise(connection, source, question, checkTime, threads),
    ),
  names: (engine, question) =>
    engine.run(question, SUMMARY_NEEDS, ({ connection, source }) =>
      listNames(connection, source, question),
    ),
  series: (engine, question) =>
    engine.run(
      seriesWindow(question),
      seriesCountNeeds(question),
      ({ connection, source, checkTime, threads }) =>
        countSeries(connection, source, question, checkTime, threads),
    ),
  retention: (engine, question) =>
    engine.run(
      { ...question, ...retentionWindow(question) },
      retentionCountNeeds(question),
      ({ connection, source, checkTime, threads }) =>
        countRetention(connection, source, question, checkTime, threads),
    ),
  'retention-people': (engine, question) =>
    engine.run(
      { ...question, ...retentionWindow(question) },
      retentionNeeds(question),
      ({ connection, source }) => retentionPeople(connection, source, question),
    ),
  'series-people': (engine, question) =>
    engine.run(
      seriesWindow(question),
      seriesNeeds({ ...question, breakdown: null }),
      ({ connection, source }) => seriesPeople(connection, source, question),
    ),
  properties: (engine, question) =>
    engine.run(question, propertiesNeeds(question), ({ connection, source }) =>
      listProperties(connection, source, question),
    ),
  'first-event': (engine, question) =>
    engine.run(question, firstEventNeeds(question), ({ connection, source }) =>
      findFirstEvent(connection, source, question),
    ),
  'people-search': (engine, question) =>
    engine.run({ ...question, fromUs: 0 }, SEARCH_NEEDS, ({ connection, source }) =>
      searchPeople(connection, source, question),
    ),
  versions: (engine, question) =>
    engine.run(seriesWindow(question), VERSIONS_NEEDS, ({ connection, source }) =>
      firstSeen(connection, source, question),
    ),
  recent: lastReceived,
  person: (engine, question) =>
    engine.run({ ...question, fromUs: 0 }, PERSON_NEEDS, ({ connection, source }) =>
      personEvents(connection, source, question),
    ),
};

/** The answer to one question from the files and the log of this host. */
export const answerHere = <K extends QueryKind>(
  engine: QueryRunner,
  kind: K,
  question: QuestionOf<K>,
): Promise<AnswerOf<K>> => HANDLERS[kind](engine, question);

async function reply<K extends QueryKind>(
  engine: QueryEngine,
  kind: K,
  request: Request,
): Promise<QueryReply> {
  const question = QUESTIONS[kind].question.parse(await request.json());
  return { answer: await answerHere(engine.until(request.signal), kind, question) };
}

export type QueryServerOptions = { engine: QueryEngine; socketPath: string; log: Logger };

export type QueryServer = { stop: () => Promise<void> };

/** Answers questions on a socket that only this user can open. */
export function serveQueries({ engine, socketPath, log }: QueryServerOptions): QueryServer {
  makePrivateFolder(dirname(socketPath));
  // Left by a killed process; two processes never have the same index.
  rmSync(socketPath, { force: true });
  const server = Bun.serve({
    unix: socketPath,
    async fetch(request, server) {
      // Queries have their own timeout; Bun would close the connection after ten idle seconds.
      server.timeout(request, 0);
      const kind = new URL(request.url).pathname.slice(1);
      if (!isQueryKind(kind)) return new Response(null, { status: 404 });
      const startedAt = performance.now();
      const durationMs = () => Math.round(performance.now() - startedAt);
      try {
        const answer = await reply(engine, kind, request);
        log.debug({ kind, durationMs: durationMs() }, 'query answered');
        return Response.json(answer);
      } catch (thrown) {
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
