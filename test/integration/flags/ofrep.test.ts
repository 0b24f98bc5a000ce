import { describe, expect, test } from 'bun:test';
import { flagApp, ON_OFF, PERSON } from '../../support/flags/flags.ts';
import { expectAsOfrep } from '../../support/flags/ofrep-document.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg, startTestService } from '../../support/service.ts';

const database = await testDatabase();
const service = await startTestService(database);
const org = await createTestOrg(service);
const app = await flagApp(service, org);
const PATH = '/v1/ofrep/v1/evaluate/flags';

await app.create({ key: 'a.bool', ...ON_OFF, isOn: true });
await app.create({
  key: 'b-number',
  type: 'number',
  variants: [
    { name: 'one', value: 1 },
    { name: 'half', value: 0.5 },
  ],
  defaultVariant: 'one',
  isOn: true,
  rules: [{ percent: 50, variant: 'half' }],
});
await app.create({
  key: 'c_json',
  type: 'json',
  variants: [{ name: 'a', value: { list: [1, null] } }],
  defaultVariant: 'a',
});

describe('answers are those of the protocol', () => {
  test('for one flag and for all', async () => {
    const all = await app.askAll(PERSON);
    expect(all.status).toBe(200);
    expectAsOfrep('all', all);
    const keys = ['a.bool', 'b-number', 'c_json'];
    expect(all.body.flags.map(({ key }: { key: string }) => key)).toEqual(keys);
    for (const [index, key] of keys.entries()) {
      const one = await app.ask(key, PERSON);
      expectAsOfrep('one', one);
      expect(one.body).toEqual(all.body.flags[index]);
    }
  });

  test('for what is wrong, each with its code', async () => {
    const bearer = { authorization: `Bearer ${app.flagKey}` };
    const send = (path: string, rawBody: string) =>
      service.call(path, { rawBody, headers: bearer });
    const cases = [
      ['{', 'PARSE_ERROR'],
      ['[]', 'INVALID_CONTEXT'],
      ['{}', 'INVALID_CONTEXT'],
      ['{"context":5}', 'INVALID_CONTEXT'],
      ['{"context":{}}', 'TARGETING_KEY_MISSING'],
      ['{"context":{"targetingKey":""}}', 'TARGETING_KEY_MISSING'],
      ['{"context":{"targetingKey":5}}', 'INVALID_CONTEXT'],
    ] as const;
    for (const [body, code] of cases) {
      const all = await send(PATH, body);
      expect([body, all.status, all.body.errorCode]).toEqual([body, 400, code]);
      expectAsOfrep('all', all);
      const one = await send(`${PATH}/a.bool`, body);
      expect([body, one.status, one.body.errorCode]).toEqual([body, 400, code]);
      expect(one.body.key).toBe('a.bool');
      expectAsOfrep('one', one);
    }
    const unknown = await app.ask('nothing', PERSON);
    expect(unknown.status).toBe(404);
    expect(unknown.body).toMatchObject({ key: 'nothing', errorCode: 'FLAG_NOT_FOUND' });
    expectAsOfrep('one', unknown);
  });

  test('304 while nothing changes, whatever else of the app does', async () => {
    const own = await flagApp(service, org);
    const made = (await own.create({ key: 'x', ...ON_OFF, defaultVariant: 'on', isOn: true })).body;
    const first = await own.askAll(PERSON);
    const etag = first.headers.get('etag') ?? '';
    const again = (sent: string) => own.askAll(PERSON, { 'if-none-match': sent });
    for (const sent of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const same = await again(sent);
      expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', etag]);
    }
    await own.change(made.id, { description: 'No value changes' });
    expect((await again(etag)).status).toBe(304);
    await own.change(made.id, { isOn: false });
    const changed = await again(etag);
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
    expect((await again('"0"')).status).toBe(200);
  });
});

describe('a page of any origin', () => {
  test('may ask, and reads the ETag', async () => {
    const { createApp } = await import('../../../src/app/routes.ts');
    const http = createApp(service.deps, {
      isReady: () => true,
      isHeld: () => false,
      stop: () => undefined,
    });
    const preflight = await http.handle(
      new Request(`http://localhost${PATH}`, {
        method: 'OPTIONS',
        headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
      }),
    );
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    const sent = preflight.headers.get('access-control-allow-headers');
    for (const name of ['authorization', 'x-api-key', 'if-none-match', 'content-type']) {
      expect(sent).toContain(name);
    }
    const answer = await app.askAll(PERSON, { origin: 'https://shop.example' });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-expose-headers')).toContain('etag');
  });
});

describe('the limit', () => {
  test('is by key and person, says so with Retry-After, and leaves others alone', async () => {
    const strict = await startTestService(database, { env: { RATE_LIMIT_SCALE: '0.05' } });
    const asked = { ...app, ...(await flagApp(strict, org)) };
    const crowd = Array.from({ length: 12 }, () => asked.askAll(PERSON));
    for (const { status } of await Promise.all(crowd)) expect(status).toBe(200);
    const refused = await asked.askAll(PERSON);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit-policy')).toBe('"flags";q=12;w=60');
    expectAsOfrep('all', refused);
    expect((await asked.askAll({ targetingKey: 'person-0002' })).status).toBe(200);
    const second = await flagApp(strict, org);
    expect((await second.askAll(PERSON)).status).toBe(200);
  });
});
