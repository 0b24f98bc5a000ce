import { describe, expect, test } from 'bun:test';
import { readable } from '../../../src/observability/pretty.ts';
import { OncePerMinute } from '../../../src/shared/once-per-minute.ts';

const request = {
  level: 'info',
  time: '2026-11-21T21:02:09.123Z',
  role: 'api',
  pid: 7,
  requestId: 'req_1',
  method: 'POST',
  route: '/v1/apps',
  status: 201,
  durationMs: 13.8,
  address: '127.0.0.1',
  caller: 'orgKey',
  orgId: 'my-company',
  appId: null,
  msg: 'request',
};
const line = (fields: object) => readable(`${JSON.stringify({ ...request, ...fields })}\n`);

describe('a terminal', () => {
  test('shows a request on one line', () => {
    expect(line({})).toMatch(/^\d\d:02:09 POST \/v1\/apps 201 14 ms my-company\n$/);
    expect(line({ route: null, status: 404, orgId: null, code: 'not_found' })).toMatch(
      /^\d\d:02:09 POST no such route 404 14 ms not_found\n$/,
    );
  });

  test('shows why a request failed, with the stack of a fault of ours', () => {
    const refused = line({ status: 400, code: 'invalid_input', hint: 'slug: is taken' });
    expect(refused).toEndWith('400 14 ms my-company invalid_input: slug: is taken\n');
    const fault = line({ status: 500, code: 'internal', err: { stack: 'Error: x\n  at y' } });
    expect(fault).toEndWith('internal\nError: x\n  at y\n');
  });

  test('shows what a run could not reach on one line, with the cause', () => {
    const failure = {
      ...{ level: 'warn', time: request.time, role: 'worker', pid: 8 },
      msg: 'activity failed: The exchange rates could not be refreshed.',
      code: 'unavailable',
      because: 'The exchange with bank.example broke off. getaddrinfo ENOTFOUND bank.example',
      workflowId: 'ratesRefresh',
    };
    expect(readable(`${JSON.stringify(failure)}\n`)).toMatch(
      /^\d\d:02:09 activity failed: The exchange rates could not be refreshed\. The exchange with bank\.example broke off\. getaddrinfo ENOTFOUND bank\.example \(ratesRefresh\)\n$/,
    );
  });

  test('shows other lines as they are', () => {
    const other = readable(JSON.stringify({ level: 'warn', time: request.time, msg: 'Odd', a: 1 }));
    expect(other).toContain('Odd');
    expect(other).toContain('a');
    expect(readable('not JSON')).toContain('not JSON');
  });
});

describe('what is said once a minute', () => {
  test('counts what was held back', () => {
    const once = new OncePerMinute();
    expect(once.take('full', 0)).toBe(0);
    expect(once.take('full', 10)).toBeNull();
    expect(once.take('other', 10)).toBe(0);
    expect(once.take('full', 59_999)).toBeNull();
    expect(once.take('full', 60_000)).toBe(2);
  });
});
