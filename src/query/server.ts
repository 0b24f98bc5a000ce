import { chmodSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Logger } from '../observability/log.ts';
import { parser } from '../shared/schema.ts';
import { makePrivateFolder } from '../storage/files.ts';
import type { QueryEngine } from './engine.ts';
import { EVENT_NEEDS, lastReceived, personEvents } from './events/list.ts';
import { PersonQuestion, RecentQuestion } from './events/model.ts';
import { loadArms } from './experiment/arms.ts';
import { compareArms } from './experiment/compare.ts';
import { ExperimentQuestion } from './experiment/model.ts';
import { toQueryFault } from './fault.ts';
import { countFunnel } from './funnel/count.ts';
import { FunnelPeopleQuestion, FunnelQuestion, type FunnelRules } from './funnel/model.ts';
import { funnelPeople } from './funnel/people.ts';
import { armNeeds, funnelNeeds } from './funnel/relation.ts';
import { QUERY_KINDS, type QueryKind, type QueryReply } from './protocol.ts';
import { SummaryQuestion } from './summary/model.ts';
import { SUMMARY_NEEDS, summarise } from './summary/summarise.ts';

type Handler = (engine: QueryEngine, question: unknown) => Promise<unknown>;

const experimentQuestion = parser(ExperimentQuestion, 'experiment question');
const funnelQuestion = parser(FunnelQuestion, 'funnel question');
const summaryQuestion = parser(SummaryQuestion, 'summary question');
const recentQuestion = parser(RecentQuestion, 'question for recent events');
const personQuestion = parser(PersonQuestion, 'question for a person');
const peopleQuestion = parser(FunnelPeopleQuestion, 'funnel people question');

function funnelWindow(rules: FunnelRules) {
  const { orgId, appId, fromUs, startBeforeUs, windowUs, environment } = rules;
  return { orgId, appId, fromUs, beforeUs: startBeforeUs + windowUs, environment };
}

const HANDLERS: Readonly<Record<QueryKind, Handler>> = {
  funnel: (engine, body) => {
    const question = funnelQuestion.parse(body);
    const { breakdown } = question;
    const window = funnelWindow(question);
    if (breakdown?.kind !== 'arm') {
      return engine.run(window, funnelNeeds(question), ({ connection, source, checkTime }) =>
        countFunnel(connection, source, question, checkTime),
      );
    }
    // People may have been assigned an arm long before the window of the report.
    const fromUs = Math.min(window.fromUs, breakdown.exposedFromUs);
    const armWindow = { ...window, fromUs };
    return engine.run(armWindow, armNeeds(question), async ({ connection, source, checkTime }) => {
      await loadArms(connection, source, breakdown, window.beforeUs);
      return countFunnel(connection, source, question, checkTime);
    });
  },
  experiment: (engine, body) => {
    const question = experimentQuestion.parse(body);
    return engine.run(
      funnelWindow(question),
      armNeeds(question),
      ({ connection, source, checkTime }) => compareArms(connection, source, question, checkTime),
    );
  },
  'funnel-people': (engine, body) => {
    const question = peopleQuestion.parse(body);
    return engine.run(
      funnelWindow(question),
      funnelNeeds(question),
      ({ connection, source, checkTime }) => funnelPeople(connection, source, question, checkTime),
    );
  },
  summary: (engine, body) => {
    const question = summaryQuestion.parse(body);
    return engine.run(question, SUMMARY_NEEDS, ({ connection, source }) =>
      summarise(connection, source, question),
    );
  },
  recent: (engine, body) => lastReceived(engine, recentQuestion.parse(body)),
  person: (engine, body) => {
    const question = personQuestion.parse(body);
    return engine.run({ ...question, fromUs: 0 }, EVENT_NEEDS, ({ connection, source }) =>
      personEvents(connection, source, question),
    );
  },
};

async function reply(engine: QueryEngine, kind: QueryKind, request: Request): Promise<QueryReply> {
  const question: unknown = await request.json();
  return { answer: await HANDLERS[kind](engine, question) };
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
      const kind = QUERY_KINDS.find((name) => new URL(request.url).pathname === `/${name}`);
      if (!kind) return new Response(null, { status: 404 });
      const startedAt = performance.now();
      const durationMs = () => Math.round(performance.now() - startedAt);
      try {
        const answer = await reply(engine, kind, request);
        log.debug({ kind, durationMs: durationMs() }, 'query answered');
        return Response.json(answer);
      } catch (thrown) {
        const fault = toQueryFault(thrown);
        log.warn({ kind, fault: fault.kind, err: fault, durationMs: durationMs() }, 'query failed');
        const failed: QueryReply = { fault: fault.kind, message: fault.message };
        return Response.json(failed);
      }
    },
  });
  chmodSync(socketPath, 0o600);
  return { stop: () => server.stop() };
}
