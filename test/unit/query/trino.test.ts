import { afterAll, describe, expect, test } from 'bun:test';
import { QueryFailure } from '../../../src/query/failure/failure.ts';
import { trinoEngine } from '../../../src/query/reading/lake/trino.ts';
import { type Misbehaviour, startTrinoSimulator } from '../../simulators/trino/server.ts';
import { until } from '../../support/until.ts';

const trino = startTrinoSimulator({ password: 'sécret' });
afterAll(trino.stop);

const NEVER = new AbortController().signal;
const target = {
  ...{ baseUrl: trino.url, user: trino.user, password: 'sécret' },
  ...{ catalog: 'lake', schema: 'main' },
};
const limits = { timeoutMs: 20_000, maxRows: 100, maxBytes: 10_000 };
const engine = trinoEngine(target, limits);
const ROWS = [1, 2, 3, 4, 5].map((value) => [value, `"${value}'`]);

const answering = (wrong?: Misbehaviour, rows: unknown[][] = ROWS) =>
  trino.answer({ columns: ['a', 'b'], rows, ...(wrong && { wrong }) });

async function faultOf(asked: Promise<unknown>): Promise<QueryFailure> {
  const thrown = await asked.then(
    () => null,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(QueryFailure);
  return thrown as QueryFailure;
}

describe('the client of Trino', () => {
  test('follows the pages of a statement to the last, with the headers that Trino wants', async () => {
    answering();
    expect(await engine.run("SELECT 'é'", NEVER)).toEqual(ROWS);
    expect(trino.statements.at(-1)).toBe("SELECT 'é'");
    answering(undefined, []);
    expect(await engine.run('SELECT 1 WHERE false', NEVER)).toEqual([]);
    expect(trino.refused).toEqual([]);
    await engine.ping(NEVER);
  });

  test.each([
    { kind: 'status', status: 503, times: 2, at: 1 },
    { kind: 'status', status: 429, times: 1, at: 2 },
    { kind: 'status', status: 502, times: 1, at: 3 },
    { kind: 'broken line', at: 2 },
  ] as const)('asks again for a page that is turned away or breaks off: %o', async (wrong) => {
    answering(wrong);
    expect(await engine.run('SELECT 1', NEVER)).toEqual(ROWS);
  });

  test.each([
    [
      {
        kind: 'error',
        errorName: 'EXCEEDED_TIME_LIMIT',
        errorType: 'INSUFFICIENT_RESOURCES',
        at: 3,
      },
      'timeout',
    ],
    [
      {
        kind: 'error',
        errorName: 'EXCEEDED_LOCAL_MEMORY_LIMIT',
        errorType: 'INSUFFICIENT_RESOURCES',
        at: 2,
      },
      'memory',
    ],
    [
      { kind: 'error', errorName: 'QUERY_QUEUE_FULL', errorType: 'INSUFFICIENT_RESOURCES', at: 1 },
      'away',
    ],
    [{ kind: 'error', errorName: 'INVALID_ARGUMENTS', errorType: 'USER_ERROR', at: 1 }, 'away'],
    [{ kind: 'error', errorName: 'USER_CANCELED', errorType: 'USER_ERROR', at: 2 }, 'stopped'],
    [{ kind: 'error', errorName: 'TABLE_NOT_FOUND', errorType: 'USER_ERROR', at: 1 }, 'away'],
    [
      { kind: 'error', errorName: 'ICEBERG_CANNOT_OPEN_SPLIT', errorType: 'EXTERNAL', at: 3 },
      'away',
    ],
    [{ kind: 'error', errorName: 'SYNTAX_ERROR', errorType: 'USER_ERROR', at: 1 }, 'failed'],
    [{ kind: 'lost next', at: 2 }, 'away'],
    [{ kind: 'cut off', at: 2 }, 'away'],
    [{ kind: 'no json', at: 2 }, 'away'],
    [{ kind: 'short row', at: 3 }, 'away'],
    [{ kind: 'no columns', at: 2 }, 'away'],
    [{ kind: 'status', status: 500, times: 1, at: 2 }, 'away'],
    [{ kind: 'status', status: 404, times: 1, at: 2 }, 'away'],
  ] as const)('never takes a part for the whole: %o is %s', async (wrong, kind) => {
    answering(wrong);
    expect((await faultOf(engine.run('SELECT 1', NEVER))).kind).toBe(kind);
  });

  test('does not follow an address of another host, which would be sent the password', async () => {
    answering({ kind: 'other host', at: 1 });
    const fault = await faultOf(engine.run('SELECT 1', NEVER));
    expect([fault.kind, fault.message]).toEqual([
      'away',
      'The engine names another host: http://other.example.com/v1/statement/1',
    ]);
  });

  test('cancels what nobody waits for any more, and what takes too long', async () => {
    answering({ kind: 'silent', at: 2 });
    const leaving = new AbortController();
    const before = trino.cancelled.length;
    const asked = faultOf(engine.run('SELECT 1', leaving.signal));
    await until('the page that never comes is asked for', () => trino.silent() > 0);
    leaving.abort();
    expect((await asked).kind).toBe('stopped');
    answering({ kind: 'silent', at: 2 });
    const hasty = trinoEngine(target, { ...limits, timeoutMs: 300 });
    expect((await faultOf(hasty.run('SELECT 1', NEVER))).kind).toBe('timeout');
    expect(trino.cancelled.length).toBe(before + 2);
  });

  test('ends an answer of too many rows or bytes, and cancels it', async () => {
    const many = Array.from({ length: 30 }, (_, index) => [index, 'x']);
    const before = trino.cancelled.length;
    answering(undefined, many);
    const short = trinoEngine(target, { ...limits, maxRows: 10 });
    expect((await faultOf(short.run('SELECT 1', NEVER))).kind).toBe('memory');
    answering(undefined, many);
    const small = trinoEngine(target, { ...limits, maxBytes: 1_000 });
    expect((await faultOf(small.run('SELECT 1', NEVER))).kind).toBe('memory');
    expect(trino.cancelled.length).toBe(before + 2);
  });

  test('is away without a server, and with credentials that it does not know', async () => {
    const wrong = trinoEngine({ ...target, password: 'other' }, limits);
    expect((await faultOf(wrong.run('SELECT 1', NEVER))).kind).toBe('away');
    const gone = trinoEngine({ ...target, baseUrl: 'http://127.0.0.1:9' }, limits);
    expect((await faultOf(gone.run('SELECT 1', NEVER))).kind).toBe('away');
  });
});
