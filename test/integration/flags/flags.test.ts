import { describe, expect, test } from 'bun:test';
import { createFlagAsks } from '../../../src/modules/flags/index.ts';
import { flagApp, ON_OFF, PERSON } from '../../support/flags/flags.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestKey, createTestOrg, startTestService } from '../../support/service.ts';

const clock = { now: Date.parse('2026-11-24T10:00:00Z') };
const service = await startTestService(await testDatabase(), {
  with: ({ sql, log }) => {
    const now = () => new Date(clock.now);
    return { clock: now, flagAsks: createFlagAsks({ sql, log, clock: now }) };
  },
});
const org = await createTestOrg(service);
const newApp = () => flagApp(service, org);

describe('a flag', () => {
  test('is made off, and serves by the first rule that applies once it is on', async () => {
    const { create, change, ask } = await newApp();
    const made = await create({
      key: 'checkout',
      ...ON_OFF,
      rules: [
        { where: { all: [{ field: 'appVersion', op: 'is', value: '1.2.0' }] }, variant: 'off' },
        { where: { all: [{ field: 'appVersion', op: 'gte', value: '2.9' }] }, variant: 'on' },
      ],
    });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ key: 'checkout', isOn: false, version: 1 });
    const at = async (appVersion: string) =>
      (await ask('checkout', { ...PERSON, appVersion })).body;
    expect(await at('2.10')).toEqual({
      key: 'checkout',
      value: false,
      reason: 'STATIC',
      variant: 'off',
    });
    const on = await change(made.body.id, { isOn: true, why: 'Ready' });
    expect(on.body).toMatchObject({ isOn: true, version: 2 });
    expect(await at('2.10')).toMatchObject({ value: true, reason: 'TARGETING_MATCH' });
    expect(await at('2.9.1')).toMatchObject({ value: true });
    expect(await at('1.10')).toMatchObject({ value: false, reason: 'UNKNOWN' });
    expect(await at('1.2.0')).toMatchObject({ value: false, reason: 'TARGETING_MATCH' });
  });

  test('is false while it is off, whatever its default is', async () => {
    const { create, ask } = await newApp();
    const made = await create({ key: 'kill', ...ON_OFF, defaultVariant: 'on' });
    expect(made.body).toMatchObject({ defaultVariant: 'on', offVariant: 'off' });
    expect((await ask('kill', PERSON)).body).toMatchObject({ value: false, reason: 'STATIC' });
  });

  test('keeps who changed what and why, and goes back to what it was', async () => {
    const { create, change, versions, restore, ask } = await newApp();
    const variants = [
      { name: 'short', value: 'Hi' },
      { name: 'long', value: 'Good morning' },
    ];
    const text = { key: 'greeting', type: 'string', variants, defaultVariant: 'short', isOn: true };
    const { id } = (await create({ ...text, why: 'First words' })).body;
    clock.now += 60_000;
    await change(id, { defaultVariant: 'long', why: 'Marketing wants more' });
    await change(id, { defaultVariant: 'long', why: 'Nothing changes' });
    const restored = await restore(id, { version: 1, why: 'It was too long' });
    expect(restored.body).toMatchObject({ defaultVariant: 'short', version: 3 });
    expect((await ask('greeting', PERSON)).body.value).toBe('Hi');
    const [third, second, first] = await versions(id);
    expect(third).toMatchObject({ version: 3, act: 'restored', why: 'It was too long' });
    expect(second).toMatchObject({ version: 2, act: 'changed', defaultVariant: 'long' });
    expect(first).toMatchObject({ version: 1, act: 'created', why: 'First words' });
    expect(first.by.kind).toBe('orgKey');
    expect((await restore(id, { version: 9 })).status).toBe(404);
  });

  test('moves nobody when the percentage grows or other rules change', async () => {
    const { create, change, ask, read } = await newApp();
    const made = (await create({ key: 'part', ...ON_OFF, isOn: true })).body;
    await change(made.id, { rules: [{ percent: 20, variant: 'on' }] });
    const people = Array.from({ length: 200 }, (_, n) => `person-${n}`);
    const included = async () => {
      const answers = await Promise.all(people.map((one) => ask('part', { targetingKey: one })));
      return people.filter((_, n) => answers[n]?.body.value);
    };
    const few = await included();
    expect(few.length).toBeGreaterThan(15);
    expect(few.length).toBeLessThan(70);
    const [rule] = (await read(made.id)).rules;
    const other = { where: { all: [{ field: 'country', op: 'is', value: 'XX' }] }, variant: 'off' };
    await change(made.id, { rules: [other, { ...rule, percent: 60 }] });
    const more = await included();
    expect(more.length).toBeGreaterThan(90);
    expect(few.filter((one) => !more.includes(one))).toEqual([]);
  });

  test('is changed by one of two who began with the same version', async () => {
    const { create, change } = await newApp();
    const { id } = (await create({ key: 'race', ...ON_OFF })).body;
    const answers = await Promise.all([
      change(id, { version: 1, isOn: true }),
      change(id, { version: 1, description: 'Other' }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test('is refused with the place of what does not fit', async () => {
    const { create } = await newApp();
    const hintOf = async (change: object) => {
      const answer = await create({ key: 'wrong', ...ON_OFF, ...change });
      expect(answer.status).toBe(400);
      return answer.body.error.hint;
    };
    const rules = (rule: object) => ({ rules: [{ variant: 'on', ...rule }] });
    const where = (condition: object) => rules({ where: { all: [condition] } });
    expect(await hintOf({ defaultVariant: 'none' })).toStartWith('defaultVariant:');
    expect(await hintOf({ type: 'number' })).toStartWith('variants[0].value: must be a number');
    expect(await hintOf(rules({ variant: 'x' }))).toStartWith('rules[0].variant:');
    expect(await hintOf(rules({ percent: 12.345 }))).toStartWith('rules[0].percent:');
    expect(await hintOf(rules({ split: [{ variant: 'on', weight: 1 }] }))).toContain('rules[0]');
    expect(await hintOf(where({ field: 'name', op: 'is', value: 'x' }))).toStartWith(
      'rules[0].where.all[0].field:',
    );
    expect(await hintOf(where({ field: 'appVersion', op: 'lt', value: 'new' }))).toStartWith(
      'rules[0].where.all[0].value:',
    );
    const large = { name: 'a', value: { text: 'x'.repeat(16_384) } };
    expect(await hintOf({ type: 'json', variants: [large], defaultVariant: 'a' })).toContain(
      '16384 bytes',
    );
    expect((await create({ key: '../x', ...ON_OFF })).status).toBe(400);
    expect((await create({ key: 'twice', ...ON_OFF })).status).toBe(201);
    expect((await create({ key: 'twice', ...ON_OFF })).status).toBe(409);
  });

  test('serves JSON of 16 KB, and all answers of an app stay under a megabyte', async () => {
    const { create, ask } = await newApp();
    const value = { text: 'ä'.repeat(8_180) };
    const json = { type: 'json', variants: [{ name: 'a', value }], defaultVariant: 'a' };
    for (let n = 0; n < 64; n += 1) {
      expect((await create({ key: `large-${n}`, ...json, isOn: true })).status).toBe(201);
    }
    const last = await create({ key: 'too-much', ...json });
    expect(last.status).toBe(409);
    expect((await ask('large-7', PERSON)).body.value).toEqual(value);
  });

  test('goes with its history, and its app takes all of it along', async () => {
    const app = await newApp();
    const { id } = (await app.create({ key: 'gone', ...ON_OFF })).body;
    await app.create({ key: 'stays', ...ON_OFF });
    expect((await app.remove(id)).status).toBe(204);
    expect((await app.ask('gone', PERSON)).status).toBe(404);
    expect((await app.list()).map(({ key }: { key: string }) => key)).toEqual(['stays']);
    await service.deps.sql`DELETE FROM apps WHERE app_id = ${app.appId}`;
    for (const table of ['flags', 'flag_versions', 'flag_sets', 'flag_asks']) {
      const left = await service.deps.sql`
        SELECT 1 FROM ${service.deps.sql(table)} WHERE app_id = ${app.appId}`;
      expect([table, left.length]).toEqual([table, 0]);
    }
  });

  test('belongs to its organization, and needs app:update to be changed', async () => {
    const app = await newApp();
    const { id } = (await app.create({ key: 'mine', ...ON_OFF })).body;
    const other = await createTestOrg(service);
    const foreign = { headers: other.key };
    expect((await service.call(`${app.path}/${id}`, foreign)).status).toBe(404);
    const elsewhere = await flagApp(service, other);
    expect((await elsewhere.change(id, { isOn: true })).status).toBe(404);
    expect((await elsewhere.ask('mine', PERSON)).status).toBe(404);
    const reader = await createTestKey(service, org, ['app:read']);
    const path = `${app.path}/${id}`;
    const change = { method: 'PATCH', headers: reader, body: { isOn: true } };
    expect((await service.call(path, change)).status).toBe(403);
  });
});

describe('who asked last', () => {
  test('is counted by flag, in batches, and an answer with all flags asks for none', async () => {
    const { create, ask, askAll, read } = await newApp();
    const used = (await create({ key: 'used', ...ON_OFF })).body;
    const dead = (await create({ key: 'dead', ...ON_OFF })).body;
    expect(dead.asks).toEqual({ lastAt: null, lastKeyId: null, times: 0, inBulkAt: null });
    clock.now += 60_000;
    for (let n = 0; n < 3; n += 1) await ask('used', PERSON);
    await askAll({ ...PERSON, flagsRead: ['used', 'no-such-flag', 5] });
    expect((await read(used.id)).asks.times).toBe(0);
    await service.deps.flagAsks.write();
    const at = new Date(clock.now).toISOString();
    expect((await read(used.id)).asks).toMatchObject({ times: 4, lastAt: at, inBulkAt: at });
    expect((await read(dead.id)).asks).toMatchObject({ times: 0, lastAt: null, inBulkAt: at });
  });
});
