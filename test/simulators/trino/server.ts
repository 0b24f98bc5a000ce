/** How the next statement goes wrong; `at` counts the pages after the POST's own answer from 1. */
export type Misbehaviour =
  | { kind: 'status'; status: number; times: number; at: number }
  | { kind: 'error'; errorName: string; errorType: string; at: number }
  | { kind: 'silent'; at: number }
  | { kind: 'lost next'; at: number }
  | { kind: 'cut off'; at: number }
  | { kind: 'no json'; at: number }
  | { kind: 'short row'; at: number }
  | { kind: 'no columns'; at: number }
  | { kind: 'other host'; at: number }
  | { kind: 'broken line'; at: number };

export type Answer = { columns: string[]; rows: unknown[][]; wrong?: Misbehaviour };

type Running = Answer & { id: string; page: number; times: number };

const USER = 'lake-user';
const PER_PAGE = 2;

/**
 * Trino's REST protocol as its documentation has it: a POST of a statement, then pages by `nextUri`,
 * of which only the one that is due, or the last one again, may be asked; DELETE gives up. Strict
 * about headers; each statement can be told to go wrong.
 */
export function startTrinoSimulator({ password }: { password?: string } = {}) {
  const statements: string[] = [];
  const cancelled: string[] = [];
  const refused: string[] = [];
  const answers: Answer[] = [];
  const running = new Map<string, Running>();
  let made = 0;
  let silent = 0;

  const refuse = (reason: string, status = 400) => {
    refused.push(reason);
    return new Response(reason, { status });
  };
  const nextOf = ({ id, page }: Running): string =>
    `${server.url.origin}/v1/statement/executing/${id}/${page}`;

  function faultOf(request: Request): string | null {
    const { headers } = request;
    if (headers.get('x-trino-user') !== USER) return 'User must be set';
    if (!headers.get('x-trino-catalog') || !headers.get('x-trino-schema')) return 'no schema';
    if (headers.get('x-trino-time-zone') !== 'UTC') return 'time zone';
    if (!/^query_max_run_time=\d+s$/.test(headers.get('x-trino-session') ?? '')) return 'session';
    const expected =
      password && `Basic ${Buffer.from(`${USER}:${password}`, 'latin1').toString('base64')}`;
    if ((headers.get('authorization') ?? undefined) !== expected) return 'Unauthorized';
    return null;
  }

  function page(one: Running): Response | Promise<Response> {
    const { id, wrong, columns, rows } = one;
    const from = (one.page - 2) * PER_PAGE;
    const isDue = wrong?.at === one.page;
    const body: Record<string, any> = { id, infoUri: `${server.url.origin}/ui/query.html?${id}` };
    if (isDue && wrong.kind === 'status' && one.times < wrong.times) {
      one.times += 1;
      return new Response('busy', { status: wrong.status });
    }
    if (isDue && wrong.kind === 'silent') {
      silent += 1;
      return new Promise<Response>(() => undefined);
    }
    if (isDue && wrong.kind === 'no json') return new Response('<html>Bad gateway</html>');
    if (isDue && wrong.kind === 'broken line' && one.times === 0) {
      one.times = 1;
      const stream = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"id":'));
          controller.error(new Error('broken'));
        },
      });
      return new Response(stream);
    }
    // The first page has nothing yet, as while a query is planned.
    if (one.page > 1) {
      if (!(isDue && wrong.kind === 'no columns')) {
        body.columns = columns.map((name) => ({ name, type: 'bigint' }));
      }
      body.data = rows.slice(Math.max(0, from), from + PER_PAGE);
      if (isDue && wrong.kind === 'short row')
        body.data = body.data.map((row: unknown[]) => row.slice(1));
    }
    if (isDue && wrong.kind === 'error') {
      const { errorName, errorType } = wrong;
      body.error = { message: 'of the engine', errorCode: 1, errorName, errorType };
      return Response.json({ ...body, stats: { state: 'FAILED' } });
    }
    if (isDue && wrong.kind === 'lost next') {
      return Response.json({ ...body, stats: { state: 'RUNNING' } });
    }
    const isLast = from + PER_PAGE >= rows.length && one.page > 1;
    one.page += 1;
    one.times = 0;
    if (isLast) return Response.json({ ...body, stats: { state: 'FINISHED' } });
    const nextUri =
      isDue && wrong.kind === 'other host'
        ? 'http://other.example.com/v1/statement/1'
        : nextOf(one);
    const text = JSON.stringify({ ...body, nextUri, stats: { state: 'RUNNING' } });
    return new Response(isDue && wrong.kind === 'cut off' ? text.slice(0, -9) : text);
  }

  const server: Bun.Server<undefined> = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: async (request): Promise<Response> => {
      const { pathname } = new URL(request.url);
      if (pathname === '/v1/info') return Response.json({ starting: false, coordinator: true });
      const fault = faultOf(request);
      if (fault) return refuse(fault, fault === 'Unauthorized' ? 401 : 400);
      if (request.method === 'POST' && pathname === '/v1/statement') {
        const text = await request.text();
        if (text.trim() === '') return refuse('SQL statement is empty');
        const answer = answers.shift();
        if (!answer) return refuse('nothing to answer');
        statements.push(text);
        made += 1;
        const one: Running = { ...answer, id: `20261122_${made}`, page: 1, times: 0 };
        running.set(one.id, one);
        return Response.json({ id: one.id, nextUri: nextOf(one), stats: { state: 'QUEUED' } });
      }
      const [, id, asked] = /^\/v1\/statement\/executing\/([^/]+)\/(\d+)$/.exec(pathname) ?? [];
      const one = running.get(id ?? '');
      if (!one) return refuse('Query not found', 404);
      if (request.method === 'DELETE') {
        cancelled.push(one.id);
        running.delete(one.id);
        return new Response(null, { status: 204 });
      }
      if (Number(asked) !== one.page) return refuse('not this page', 410);
      return page(one);
    },
  });
  return {
    url: server.url.origin,
    user: USER,
    statements,
    cancelled,
    refused,
    /** How many requests are left without an answer. */
    silent: () => silent,
    /** What the statements to come are answered with, one after the other. */
    answer: (...list: Answer[]) => answers.push(...list),
    stop: () => server.stop(true),
  };
}
