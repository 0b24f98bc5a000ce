import { afterAll } from 'bun:test';
import { randomBytes } from 'node:crypto';
import type { Deps } from '../../../src/context.ts';
import { openEngine } from '../../../src/event-store/parquet/engine.ts';
import { createCooldowns } from '../../../src/lake/cooldowns.ts';
import { publishLake } from '../../../src/lake/publish.ts';
import { Queries } from '../../../src/query/client.ts';
import type { AnswerOf, QueryKind, QuestionOf } from '../../../src/query/kinds.ts';
import { LakeQuestions } from '../../../src/query/reading/lake/questions.ts';
import { trinoEngine } from '../../../src/query/reading/lake/trino.ts';
import { must } from '../../../src/shared/assert.ts';
import { limitConcurrency } from '../../../src/shared/concurrency.ts';
import { compactEverything, withQueriesOf } from '../queries.ts';
import { LOCAL_FILES, overPostgres } from './trino-catalogs.ts';
import type { TrinoInstall } from './trino-install.ts';
import { startTrino } from './trino-server.ts';

const TIMEOUT_SECONDS = 300;

/** Questions as the service asks them, after everything that it has taken is published. */
class PublishedQueries extends Queries {
  publish: () => Promise<void> = async () => undefined;

  override async ask<K extends QueryKind>(
    kind: K,
    question: QuestionOf<K>,
    options = {},
  ): Promise<AnswerOf<K>> {
    await this.publish();
    return super.ask(kind, question, options);
  }
}

function publisherOf({ config, log, objects, sql }: Deps) {
  const tempDir = `${config.dataDir}/tmp/lake`;
  const duck = openEngine({ memoryMb: 256, threads: 1, tempDir });
  const { url } = config.events;
  const rests = createCooldowns(() => Date.now());
  return { sql, objects, log, rests, eventsUrl: url, duck: () => duck };
}

const NEVER = new AbortController().signal;
const LIMITS = { timeoutMs: TIMEOUT_SECONDS * 1_000, maxRows: 200_000, maxBytes: 64_000_000 };

/** An engine over the lake of a suite, as a catalogue of its own. */
async function openEngineOf(baseUrl: string, { config }: Deps) {
  const databaseUrl = must(config.databaseUrl, 'the suite has a database of its own');
  const properties = { ...overPostgres(databaseUrl, config.events.url), ...LOCAL_FILES };
  const target = { baseUrl, user: 'test', password: undefined, schema: 'main' };
  const catalog = `lake_${randomBytes(6).toString('hex')}`;
  const engine = trinoEngine({ ...target, catalog }, LIMITS);
  const listed = Object.entries(properties).map(([name, value]) => `"${name}" = '${value}'`);
  await engine.run(`CREATE CATALOG ${catalog} USING iceberg WITH (${listed.join(', ')})`, NEVER);
  return engine;
}

async function openQueries(baseUrl: string, deps: Deps, answered: Map<string, number>) {
  const { config, sql } = deps;
  const publisher = publisherOf(deps);
  const alone = limitConcurrency(1);
  const publish = () =>
    alone(async () => {
      await compactEverything(deps);
      await publishLake(publisher);
      // No host says how far it has catalogued: everything is.
      await sql`UPDATE lake_publisher SET data_through = ${deps.clock()}`;
    });
  await publish();
  const engine = await openEngineOf(baseUrl, deps);
  const lake = new LakeQuestions({ sql, engine, timeoutMs: TIMEOUT_SECONDS * 1_000 });
  const queries = new PublishedQueries({
    ...{ runDir: config.runDir, processes: 1, timeoutSeconds: TIMEOUT_SECONDS },
    ...{ lakeMinEvents: 0, eventsToRead: async () => 1 },
    onLakeDone: (kind, outcome) => {
      const key = `${kind} ${outcome}`;
      answered.set(key, (answered.get(key) ?? 0) + 1);
    },
  });
  queries.publish = publish;
  return { queries, lake };
}

/**
 * Suites that `load` loads have their questions answered by a Trino that reads their service's lake,
 * which is published before each. Returns how many of which kind it was asked.
 */
export async function answerByTrino(
  install: TrinoInstall,
  load: () => Promise<void>,
): Promise<Map<string, number>> {
  const answered = new Map<string, number>();
  const trino = await startTrino(install, { catalog: null });
  afterAll(() => trino.stop());
  await withQueriesOf((deps) => openQueries(trino.url, deps, answered), load);
  return answered;
}
