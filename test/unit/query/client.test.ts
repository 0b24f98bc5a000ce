import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { Queries } from '../../../src/query/client.ts';
import { countForms, queryMetrics } from '../../../src/query/metrics.ts';
import { type QueryReply, querySocket } from '../../../src/query/protocol.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { until } from '../../support/until.ts';
import { pause } from '../../support/pause.ts';

const ROOT = mkdtempSync(join(tmpdir(), 'cp-query-'));
afterAll(() => rmSync(ROOT, { recursive: true, force: true }));
let folders = 0;

const ANSWER = {
  people: 1,
  events: 2,
  firstAtUs: null,
  lastAtUs: null,
  names: [],
  platforms: [],
  versions: [],
};

/** A place for sockets, and processes on them that answer as told. */
function stage(processes = 1, startWaitMs = 300) {
  folders += 1;
  const runDir = join(ROOT, String(folders));
  mkdirSync(runDir);
  const registry = new Registry();
  const onDone = queryMetrics(registry);
  const onForm = countForms(registry);
  const options = { runDir, processes, timeoutSeconds: 60, startWaitMs, onDone, onForm };
  const queries = new Queries(options);
  const ask = (orgId = 'org_1', fromUs = 0, signal?: AbortSignal) =>
    queries.ask('summary', { orgId, appId: 'app_1', fromUs, beforeUs: 1, limit: 1 }, { signal });
  const listen = (answer: (request: Request) => Response | Promise<Response>, index = 0) => {
    const unix = querySocket(runDir, index);
    rmSync(unix, { force: true });
    const server = Bun.serve({ unix, fetch: answer });
    afterAll(() => server.stop(true));
    return server;
  };
  return { ask, listen, metrics: () => registry.metrics() };
}

const replying = (reply: QueryReply) => () => Response.json(reply);

async function failure(asked: Promise<unknown>): Promise<AppError> {
  const thrown = await asked.then(
    () => null,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(AppError);
  return thrown as AppError;
}

describe('the client of the query processes', () => {
  test('hands the question over and the answer back', async () => {
    const { ask, listen } = stage();
    const seen: unknown[] = [];
    listen(async (request) => {
      seen.push(new URL(request.url).pathname, await request.json());
      return Response.json({ answer: ANSWER });
    });
    expect(await ask()).toEqual(ANSWER);
    expect(seen).toEqual([
      '/summary',
      { orgId: 'org_1', appId: 'app_1', fromUs: 0, beforeUs: 1, limit: 1 },
    ]);
  });

  test('asks once more for an answer that was not counted from all events', async () => {
    const { ask, listen } = stage(2);
    const short: QueryReply = { fault: 'incomplete', message: '1 row of 2' };
    let asked = 0;
    listen(() => {
      asked += 1;
      return Response.json(short);
    });
    const server = listen(replying({ answer: ANSWER, countedFrom: 9 }), 1);
    for (let i = 0; i < 4; i += 1) expect(await ask()).toEqual({ ...ANSWER, countedFrom: 9 });
    expect(asked).toBeGreaterThan(1);
    await server.stop(true);
    listen(replying(short), 1);
    expect((await failure(ask())).code).toBe('unavailable');
  });

  test.each(['timeout', 'memory', 'stopped', 'away', 'incomplete'] as const)(
    'makes one clear 503 of the fault %s',
    async (fault) => {
      const { ask, listen } = stage();
      listen(replying({ fault, message: 'DuckDB says /secret/path' }));
      const error = await failure(ask());
      expect(error.code).toBe('unavailable');
      expect(error.retryAfterSeconds).toBeGreaterThan(0);
      expect(`${error.message} ${error.hint}`).not.toContain('secret');
      expect(error.hint).toBeString();
    },
  );

  test('counts how questions end', async () => {
    const { ask, listen, metrics } = stage();
    const server = listen(replying({ answer: ANSWER, form: 'projections' }));
    expect(await ask()).toEqual(ANSWER);
    await ask();
    await server.stop(true);
    listen(replying({ fault: 'memory', message: 'full' }));
    await failure(ask());
    const text = await metrics();
    expect(text).toContain(
      'event_query_duration_seconds_count{kind="summary",outcome="answered"} 2',
    );
    expect(text).toContain(
      'event_query_duration_seconds_count{kind="summary",outcome="unavailable"} 1',
    );
  });

  test('does not excuse a fault of our own, nor an answer of another shape', async () => {
    const { ask, listen } = stage();
    const server = listen(replying({ fault: 'failed', message: 'no such column' }));
    expect(ask()).rejects.toThrow('no such column');
    await server.stop(true);
    listen(replying({ answer: { people: 'many' } }));
    const thrown = await ask().catch((error: unknown) => error);
    expect(thrown).not.toBeInstanceOf(AppError);
  });

  test('says that a query was stopped when its process hangs up', async () => {
    const { ask, listen } = stage();
    const gone = listen(async () => {
      await gone.stop(true);
      return new Response('never sent');
    });
    expect((await failure(ask())).code).toBe('unavailable');
  });

  test('asks again what an ending process had, one after the other, and once', async () => {
    const { ask, listen } = stage(1, 60_000);
    const hanging: PromiseWithResolvers<Response>[] = [];
    const dying = listen(() => {
      const never = Promise.withResolvers<Response>();
      hanging.push(never);
      return never.promise;
    });
    const asked = [ask('org_1'), ask('org_2'), ask('org_3')];
    await until('all are in the process', () => hanging.length === 3);
    await dying.stop(true);
    let inside = 0;
    let most = 0;
    listen(async () => {
      inside += 1;
      most = Math.max(most, inside);
      await pause(1, 'another would come meanwhile');
      inside -= 1;
      return Response.json({ answer: ANSWER });
    });
    expect(await Promise.all(asked)).toEqual(Array(3).fill(ANSWER));
    expect(most).toBe(1);
    let ended = 0;
    listen(() => {
      ended += 1;
      return new Response('not an ans');
    });
    expect((await failure(ask())).code).toBe('unavailable');
    expect(ended).toBe(2);
  });

  test('waits for a process that is being started again', async () => {
    const { ask, listen } = stage(1, 60_000);
    const asked = ask();
    await pause(50, 'the process is not there yet');
    listen(replying({ answer: ANSWER }));
    expect(await asked).toEqual(ANSWER);
  });

  test('gives up when none comes', async () => {
    const { ask } = stage();
    expect((await failure(ask())).code).toBe('unavailable');
  });

  test('goes to the process that is there while another is not', async () => {
    const { ask, listen } = stage(2);
    listen(replying({ answer: ANSWER }), 1);
    for (let i = 0; i < 4; i += 1) expect(await ask()).toEqual(ANSWER);
  });

  test('lets one organization wait for itself, not for another', async () => {
    const { ask, listen } = stage();
    const gate = Promise.withResolvers<void>();
    listen(async (request) => {
      const { orgId } = (await request.json()) as { orgId: string };
      if (orgId === 'org_greedy') await gate.promise;
      return Response.json({ answer: ANSWER });
    });
    const greedy = Array.from({ length: 22 }, (_, n) => ask('org_greedy', n));
    const tooMany = await failure(ask('org_greedy', 22));
    expect(tooMany.code).toBe('unavailable');
    expect(tooMany.retryAfterSeconds).toBeGreaterThan(0);
    expect(await ask('org_modest')).toEqual(ANSWER);
    gate.resolve();
    expect(await Promise.all(greedy)).toHaveLength(22);
    // What was refused is answered when it is asked again.
    expect(await ask('org_greedy', 22)).toEqual(ANSWER);
  });

  test('asks once for many who ask the same at once, and for each organization by itself', async () => {
    const { ask, listen, metrics } = stage();
    const gate = Promise.withResolvers<void>();
    const seen: string[] = [];
    listen(async (request) => {
      seen.push(((await request.json()) as { orgId: string }).orgId);
      await gate.promise;
      return Response.json({ answer: ANSWER });
    });
    const asked = ['org_1', 'org_1', 'org_2', 'org_1', 'org_2'].map((orgId) => ask(orgId));
    await until('two are asked', () => seen.length >= 2);
    gate.resolve();
    expect(await Promise.all(asked)).toEqual(Array(5).fill(ANSWER));
    expect(seen.toSorted()).toEqual(['org_1', 'org_2']);
    expect(await metrics()).toContain('{kind="summary",outcome="answered"} 5');
  });

  test('hangs up when the last caller has left, and lets one who waits leave the queue', async () => {
    const { ask, listen, metrics } = stage();
    const [first, second, waiting] = Array.from({ length: 3 }, () => new AbortController());
    const hungUp = Promise.withResolvers<void>();
    const arrived: number[] = [];
    listen(async (request) => {
      const { fromUs } = (await request.json()) as { fromUs: number };
      arrived.push(fromUs);
      if (fromUs > 0) return Response.json({ answer: ANSWER });
      request.signal.addEventListener('abort', () => hungUp.resolve());
      await hungUp.promise;
      return new Response(null);
    });
    const asked = [ask('org_1', 0, first!.signal), ask('org_1', 0, second!.signal)];
    const outcomes = asked.map(failure);
    await until('the first has arrived', () => arrived.length !== 0);
    const next = ask('org_1', 1);
    const given = failure(ask('org_1', 2, waiting!.signal));
    waiting!.abort();
    await given;
    first!.abort();
    await outcomes[0];
    second!.abort();
    await outcomes[1];
    await hungUp.promise;
    expect(await next).toEqual(ANSWER);
    expect(arrived).toEqual([0, 1]);
    expect(await metrics()).toContain('{kind="summary",outcome="left"} 3');
  });
});
