import { describe, expect, test } from 'bun:test';
import sessions from '../../fixtures/mcp/sessions.json';
import { startServed } from '../../support/clients/served.ts';

const { url, org, app } = await startServed();
const REVISION = '2026-07-28';
const OLDER = ['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const META = 'io.modelcontextprotocol';
const SENT = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

type Headers = Record<string, string>;

async function send(headers: Headers, body?: unknown, method = 'POST') {
  const response = await fetch(`${url}/v1/mcp`, {
    method,
    headers: { ...headers, ...org.key },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.headers.get('mcp-session-id')).toBeNull();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, answer: isJson ? JSON.parse(text) : text || null };
}

type Changes = { params?: object; headers?: Headers; without?: string; meta?: object };

/** As the protocol of 2026-07-28 wants it, but for what is changed. */
function call(method: string, { params, headers, without, meta }: Changes = {}) {
  const all: Headers = {
    ...{ ...SENT, 'mcp-protocol-version': REVISION, 'mcp-method': method },
    ...headers,
  };
  if (without !== undefined) delete all[without];
  const _meta = {
    [`${META}/protocolVersion`]: REVISION,
    [`${META}/clientInfo`]: { name: 'test', version: '1' },
    [`${META}/clientCapabilities`]: {},
    ...meta,
  };
  return send(all, { jsonrpc: '2.0', id: 'one', method, params: { ...params, _meta } });
}

describe('the revision of 2026-07-28', () => {
  const serverInfo = { name: 'mobile-control-plane', version: '1.0.0' };
  const _meta = { [`${META}/serverInfo`]: serverInfo };

  test('is discovered without a session, by a call that names no earlier one', async () => {
    const { status, answer } = await call('server/discover');
    expect([status, answer.id]).toEqual([200, 'one']);
    expect(answer.result).toMatchObject({
      ...{ resultType: 'complete', supportedVersions: [REVISION], capabilities: { tools: {} } },
      instructions: expect.stringContaining('Begin with listApps'),
      _meta,
    });
  });

  test('lists tools that nobody else may be shown, and calls them', async () => {
    const listed = await call('tools/list');
    const tools = expect.arrayContaining([expect.objectContaining({ name: 'getApp' })]);
    expect(listed.answer.result).toMatchObject({ cacheScope: 'private', tools, _meta });
    const params = { name: 'getApp', arguments: { id: app.appId } };
    for (const name of ['getApp', '=?base64?Z2V0QXBw?=']) {
      const { status, answer } = await call('tools/call', {
        params,
        headers: { 'mcp-name': name },
      });
      expect([status, answer.result.isError, answer.result.resultType]).toEqual([
        ...[200, undefined, 'complete'],
      ]);
      expect(answer.result.content[0].text).toContain(app.appId);
    }
    const unknown = { params: { name: 'createApp' }, headers: { 'mcp-name': 'createApp' } };
    expect((await call('tools/call', unknown)).answer.result.isError).toBe(true);
  });

  const byName = { params: { name: 'getApp', arguments: {} } };
  test.each<[string, string, Changes]>([
    ['no method in the headers', 'tools/list', { without: 'mcp-method' }],
    ['another method', 'tools/list', { headers: { 'mcp-method': 'tools/call' } }],
    ['no name', 'tools/call', byName],
    ['another name', 'tools/call', { ...byName, headers: { 'mcp-name': 'listApps' } }],
    [
      'a name that is not decoded',
      'tools/call',
      { ...byName, headers: { 'mcp-name': '=?base64?!' } },
    ],
    ['no revision', 'tools/list', { without: 'mcp-protocol-version' }],
    ['another revision', 'tools/list', { headers: { 'mcp-protocol-version': '2025-11-25' } }],
  ])('refuses %s as a mismatch', async (_, method, changes) => {
    const { status, answer } = await call(method, changes);
    expect([status, answer.id, answer.error.code]).toEqual([400, 'one', -32020]);
  });

  test('names itself to who asks for a later one', async () => {
    const later = '2099-01-01';
    const { status, answer } = await call('tools/list', {
      headers: { 'mcp-protocol-version': later },
      meta: { [`${META}/protocolVersion`]: later },
    });
    expect([status, answer.id, answer.error.code]).toEqual([400, 'one', -32022]);
    expect(answer.error.data).toEqual({ supported: [REVISION], requested: later });
  });

  test.each(['tools/none', 'initialize', 'ping'])('has no %s', async (method) => {
    const { status, answer } = await call(method);
    expect([status, answer.error.code]).toEqual([404, -32601]);
  });

  test('wants its fields in each message', async () => {
    const incomplete = await call('tools/list', {
      meta: { [`${META}/clientCapabilities`]: undefined },
    });
    expect([incomplete.status, incomplete.answer.error.code]).toEqual([400, -32602]);
    const headers = { ...SENT, 'mcp-protocol-version': REVISION, 'mcp-method': 'tools/list' };
    const bare = await send(headers, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect([bare.status, bare.answer.error.code]).toEqual([400, -32602]);
    expect((await send(headers)).status).toBe(400);
  });

  test('ends a subscription at once, since no list of tools changes by itself', async () => {
    const params = { notifications: { toolsListChanged: true } };
    const { status, answer } = await call('subscriptions/listen', { params });
    expect(status).toBe(200);
    expect(answer).toContain('"resultType":"complete"');
  });
});

describe('earlier revisions', () => {
  const initialize = (protocolVersion: string) =>
    send(SENT, {
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    });

  test.each([
    ...OLDER.map((one) => [one, one]),
    [REVISION, '2025-11-25'],
    ['2099-01-01', '2025-11-25'],
  ])('answer the first message of %s with %s', async (wanted, given) => {
    const { status, answer } = await initialize(wanted ?? '');
    expect([status, answer.result.protocolVersion]).toEqual([200, given]);
  });

  test('that never were are refused', async () => {
    const headers = { ...SENT, 'mcp-protocol-version': '2020-01-01' };
    const { status, answer } = await send(headers, { jsonrpc: '2.0', id: 1, method: 'ping' });
    expect([status, answer.error.code]).toEqual([400, -32000]);
  });

  /** The parts of an answer that neither another organization nor a better sentence changes. */
  function lasting(answer: any): unknown {
    const text = JSON.stringify(answer, (key, value) => {
      if (key === 'instructions') return '{instructions}';
      if (key === 'tools' && Array.isArray(value)) {
        const [tool] = value.filter(({ name }) => name === 'listApps');
        return [{ ...tool, description: '{description}' }];
      }
      const data = /\n<(data-[0-9a-f]{12})>\n.*\n<\/\1>$/s;
      return key === 'text' ? value.replace(data, '\n{data}') : value;
    });
    return JSON.parse(text);
  }

  test.each(Object.entries(sessions))(
    'answer a recorded session of %s as before',
    async (_, all) => {
      for (const { method, headers, body, status, answer } of all) {
        const sent = body && JSON.parse(JSON.stringify(body).replace('{app}', app.appId));
        const now = await send(headers as Headers, sent, method);
        expect({ sent, ...now, answer: lasting(now.answer) }).toEqual({ sent, status, answer });
      }
    },
  );
});
