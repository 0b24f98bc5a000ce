import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  type HttpFaultKind,
  httpRequest,
  decodeJson,
  decodeText,
} from '../../../src/shared/http.ts';
import { HTML_500 } from '../../simulators/kit/faults.ts';
import { type Simulator, startSimulator } from '../../simulators/kit/server.ts';

let server: Simulator;

beforeAll(async () => {
  server = await startSimulator((request) => ({
    status: request.path === '/created' ? 201 : 200,
    json: { path: request.path, body: request.body, key: request.headers['x-key'] ?? null },
  }));
});
afterAll(() => server.stop());

const get = (path: string, limits: { timeoutMs?: number; maxBytes?: number } = {}) =>
  httpRequest({
    method: 'GET',
    url: new URL(path, server.url),
    timeoutMs: limits.timeoutMs ?? 2_000,
    maxBytes: limits.maxBytes ?? 10_000,
  });

const faultOf = async (exchange: Promise<unknown>): Promise<HttpFaultKind | string> =>
  exchange.then(
    () => 'no fault',
    (thrown) => thrown.kind,
  );

describe('httpRequest', () => {
  test('sends the headers and the body, and reads the whole answer', async () => {
    const answer = await httpRequest({
      method: 'POST',
      url: new URL('/created', server.url),
      headers: { 'x-key': 'k', 'content-type': 'application/json' },
      body: '{"a":1}',
      timeoutMs: 2_000,
      maxBytes: 1_000,
    });
    expect(answer.status).toBe(201);
    expect(decodeJson(answer)).toEqual({ path: '/created', body: '{"a":1}', key: 'k' });
  });

  test('a 500 with HTML is an answer, and not JSON', async () => {
    server.faults.next(HTML_500);
    const answer = await get('/');
    expect(answer.status).toBe(500);
    expect(decodeText(answer)).toContain('<html>');
    expect(decodeJson(answer)).toBeUndefined();
  });

  test('silence ends at the time limit', async () => {
    server.faults.next({ kind: 'silent' });
    expect(await faultOf(get('/', { timeoutMs: 50 }))).toBe('timeout');
  });

  test('an answer that breaks off is no answer', async () => {
    server.faults.next({ kind: 'cut' });
    expect(await faultOf(get('/'))).toBe('network');
    server.faults.next({ kind: 'hang_up' });
    expect(await faultOf(get('/', {}))).toBe('network');
  });

  test('a POST on a broken connection is sent once', async () => {
    await get('/');
    const before = server.requests.length;
    server.faults.next({ kind: 'hang_up' });
    const exchange = httpRequest({
      method: 'POST',
      url: new URL('/once', server.url),
      timeoutMs: 2_000,
      maxBytes: 1_000,
    });
    expect(await faultOf(exchange)).toBe('network');
    expect(server.requests.slice(before)).toEqual(['POST /once']);
  });

  test('an answer larger than the limit is given up', async () => {
    server.faults.next({ kind: 'body', body: 'x'.repeat(20_000) });
    expect(await faultOf(get('/'))).toBe('too_large');
    server.faults.next({ kind: 'body', body: 'x'.repeat(10_000) });
    expect((await get('/')).bytes.length).toBe(10_000);
  });

  test('a redirect is refused, never followed', async () => {
    server.faults.next({ kind: 'status', status: 302, headers: { location: '/elsewhere' } });
    const before = server.requests.length;
    expect(await faultOf(get('/'))).toBe('redirect');
    expect(server.requests.length).toBe(before + 1);
  });

  test('the caller can give up first', async () => {
    server.faults.next({ kind: 'silent' });
    const controller = new AbortController();
    const exchange = httpRequest({
      method: 'GET',
      url: new URL('/', server.url),
      timeoutMs: 5_000,
      maxBytes: 10,
      signal: controller.signal,
    });
    controller.abort();
    expect(await faultOf(exchange)).toBe('network');
  });

  test('nobody listening is a network fault', async () => {
    const gone = await startSimulator(() => ({ status: 200 }));
    await gone.stop();
    const exchange = httpRequest({
      method: 'GET',
      url: new URL(gone.url),
      timeoutMs: 2_000,
      maxBytes: 10,
    });
    expect(await faultOf(exchange)).toBe('network');
  });
});
