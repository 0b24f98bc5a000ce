import { beforeEach, describe, expect, test } from 'bun:test';
import { flagApp } from '../../support/flags/flags.ts';
import { expectAsOfrep } from '../../support/flags/ofrep-document.ts';
import { reckon, reckonArm } from '../../support/flags/reckoning.ts';
import { testDatabase } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';
import { createFlagKey, createTestOrg, startTestService } from '../../support/service.ts';

const database = await testDatabase();
type Written = { environment?: string; event: any };
const exposures: Written[] = [];
const service = await startTestService(database, {
  with: ({ events }) => ({
    events: {
      ...events,
      append: async ({ body, environment }) => {
        const [event] = JSON.parse(Buffer.from(body).toString()).events;
        exposures.push({ event, ...(environment && { environment }) });
      },
    },
  }),
});
const org = await createTestOrg(service);
beforeEach(() => {
  exposures.length = 0;
});

const PEOPLE = Array.from({ length: 200 }, (_, index) => ({
  targetingKey: `person-${1_000 + index}`,
}));
const [ANYBODY] = PEOPLE as [{ targetingKey: string }];
const ARMS = [
  { name: 'as before', weight: 1 },
  { name: 'short', weight: 3 },
];
const TEXT = {
  type: 'string',
  variants: ['first', 'second', 'none'].map((name) => ({ name, value: name })),
  defaultVariant: 'none',
  isOn: true,
};
const values = ['first', 'second'];

type App = Awaited<ReturnType<typeof flagApp>>;
const ruleOf = (experiment: any) => ({
  experiment: experiment.id,
  variations: Object.fromEntries(
    experiment.arms.map(({ id }: { id: string }, index: number) => [id, values[index % 2]]),
  ),
});
async function experimentOf(app: App, body: object = {}, status: string | null = 'running') {
  const made = (await app.experiment({ arms: ARMS, ...body })).body;
  return status === null ? made : (await app.onExperiment(made.id, 'PATCH', { status })).body;
}
async function flagOf(app: App, rules: object[], key = 'text') {
  const made = await app.create({ ...TEXT, key, rules });
  if (made.status !== 201) throw new Error(made.text);
  return made.body;
}
/** Any change of a flag lets this process look at its experiments at once, and not in 5 s. */
async function look(app: App, flag: { id: string }) {
  await app.change(flag.id, { description: crypto.randomUUID() });
}
const shownTo = async (app: App, person: object, key = 'text') =>
  (await app.ask(key, person)).body.value;

describe('a rule by an experiment', () => {
  test('gives each person the value of the arm that anybody can compute, while it runs', async () => {
    const app = await flagApp(service, org);
    const draft = await experimentOf(app, {}, null);
    const flag = await flagOf(app, [ruleOf(draft)]);
    expect(await shownTo(app, ANYBODY)).toBe('none');
    const { body: running } = await app.onExperiment(draft.id, 'PATCH', { status: 'running' });
    await look(app, flag);
    const counted = { first: 0, second: 0 };
    for (const person of PEOPLE) {
      const answer = await app.ask('text', person);
      expectAsOfrep('one', answer);
      const { value, reason, metadata } = answer.body;
      expect([person, value]).toEqual([person, reckon(flag, person, [running])]);
      expect(reason).toBe('SPLIT');
      expect(metadata).toEqual({
        experiment: draft.id,
        arm: reckonArm(running, person.targetingKey),
      });
      counted[value as 'first'] += 1;
    }
    expect(counted.first).toBeGreaterThan(20);
    expect(counted.second).toBeGreaterThan(100);
    await app.onExperiment(draft.id, 'PATCH', { status: 'stopped' });
    await look(app, flag);
    expect((await app.ask('text', ANYBODY)).body).toEqual({
      ...{ key: 'text', value: 'none', reason: 'UNKNOWN', variant: 'none' },
    });
    const [first] = running.arms;
    await app.onExperiment(draft.id, 'POST', { armId: first.id }, '/ship');
    await look(app, flag);
    for (const person of PEOPLE.slice(0, 20)) {
      expect((await app.ask('text', person)).body).toEqual({
        ...{ key: 'text', value: 'first', reason: 'TARGETING_MATCH', variant: 'first' },
      });
    }
  });

  test('a start is felt within five seconds, without a change of the flag', async () => {
    const app = await flagApp(service, org);
    const draft = await experimentOf(app, {}, null);
    await flagOf(app, [ruleOf(draft)]);
    expect(await shownTo(app, ANYBODY)).toBe('none');
    await app.onExperiment(draft.id, 'PATCH', { status: 'running' });
    await until('the start is felt', async () => (await shownTo(app, ANYBODY)) !== 'none');
  });

  test('applies where its conditions hold, and further rules to the others', async () => {
    const app = await flagApp(service, org);
    const experiment = await experimentOf(app);
    const where = { all: [{ field: 'platform', op: 'is', value: 'ios' }] };
    const flag = await flagOf(app, [
      { where, ...ruleOf(experiment) },
      { percent: 50, variant: 'second' },
    ]);
    for (const person of PEOPLE.slice(0, 50)) {
      for (const platform of ['ios', 'web']) {
        const context = { ...person, platform };
        const found = await shownTo(app, context);
        expect([context, found]).toEqual([context, reckon(flag, context, [experiment])]);
      }
    }
  });

  test('shows the arm that was set by hand', async () => {
    const app = await flagApp(service, org);
    const experiment = await experimentOf(app, {
      layer: { name: 'one', fromPercent: 0, toPercent: 1 },
    });
    const flag = await flagOf(app, [ruleOf(experiment)]);
    const outside = PEOPLE.find(({ targetingKey }) => !reckonArm(experiment, targetingKey));
    const anonymousId = outside?.targetingKey ?? '';
    const set = { anonymousId, armId: experiment.arms[1].id };
    expect(await shownTo(app, { targetingKey: anonymousId })).toBe('none');
    await app.onExperiment(experiment.id, 'PUT', set, '/overrides');
    await look(app, flag);
    expect(await shownTo(app, { targetingKey: anonymousId })).toBe('second');
    expect(exposures.map(({ event }) => event.props)).toEqual([
      { experiment: experiment.id, arm: experiment.arms[1].id, overridden: true },
    ]);
  });

  test('of onboardings gives the arm that the route of experiments gives', async () => {
    const app = await flagApp(service, org);
    const onboarding = await service.call(`/v1/apps/${app.appId}/onboardings`, {
      headers: org.key,
      body: { name: 'one', config: {} },
    });
    const arms = ARMS.map((arm) => ({ ...arm, onboardingId: onboarding.body.id }));
    const experiment = await experimentOf(app, { arms });
    await flagOf(app, [ruleOf(experiment)]);
    for (const { targetingKey } of PEOPLE.slice(0, 40)) {
      const asked = `/v1/experiments?anonymousId=${targetingKey}`;
      const { body } = await service.call(asked, { headers: app.device });
      const { metadata } = (await app.ask('text', { targetingKey })).body;
      expect(metadata).toEqual({ experiment: experiment.id, arm: body.arm.armId });
    }
    // Both ways to ask are one exposure.
    expect(new Set(exposures.map(({ event }) => event.id)).size).toBe(40);
    expect(exposures).toHaveLength(40);
  });
});

describe('several at once', () => {
  test('run beside each other and beside one of onboardings, which stays alone', async () => {
    const app = await flagApp(service, org);
    const onboarding = await service.call(`/v1/apps/${app.appId}/onboardings`, {
      headers: org.key,
      body: { name: 'one', config: { screens: 1 } },
    });
    const shown = ARMS.map((arm) => ({ ...arm, onboardingId: onboarding.body.id }));
    const ofOnboardings = await experimentOf(app, { arms: shown });
    const all = [await experimentOf(app), await experimentOf(app), await experimentOf(app)];
    expect(all.map(({ status }) => status)).toEqual(['running', 'running', 'running']);
    const second = (await app.experiment({ arms: shown })).body;
    const refused = await app.onExperiment(second.id, 'PATCH', { status: 'running' });
    expect(refused.status).toBe(409);
    const asked = `/v1/experiments?anonymousId=${ANYBODY.targetingKey}`;
    const { body } = await service.call(asked, { headers: app.device });
    expect(body.arm.experimentId).toBe(ofOnboardings.id);
    for (const [index, one] of all.entries()) await flagOf(app, [ruleOf(one)], `text-${index}`);
    for (const person of PEOPLE.slice(0, 20)) {
      const { body: answer } = await app.askAll(person);
      const arms = answer.flags.map(({ metadata }: any) => [metadata.experiment, metadata.arm]);
      expect(arms).toEqual(all.map((one) => [one.id, reckonArm(one, person.targetingKey)]));
    }
  });

  test('nobody is in two of a layer, and parts that overlap do not run together', async () => {
    const app = await flagApp(service, org);
    const part = (fromPercent: number, toPercent: number, name = 'checkout') => ({
      layer: { name, fromPercent, toPercent },
    });
    const one = await experimentOf(app, part(0, 33.33));
    const two = await experimentOf(app, part(33.33, 100));
    const late = await experimentOf(app, { ...part(99, 100), name: 'Late' }, null);
    const refused = await app.onExperiment(late.id, 'PATCH', { status: 'running' });
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      'The experiment “Experiment” has some of these people.',
    ]);
    await experimentOf(app, part(0, 100, 'search'));
    await flagOf(app, [ruleOf(one)], 'one');
    await flagOf(app, [ruleOf(two)], 'two');
    const counted = { one: 0, two: 0 };
    for (const person of PEOPLE) {
      const { body } = await app.askAll(person);
      const [first, second] = body.flags.map(({ metadata }: any) => metadata !== undefined);
      expect([person, first !== second]).toEqual([person, true]);
      counted[first ? 'one' : 'two'] += 1;
    }
    expect(counted.one).toBeGreaterThan(40);
    expect(counted.two).toBeGreaterThan(100);
    await app.onExperiment(two.id, 'PATCH', { status: 'stopped' });
    expect((await app.onExperiment(late.id, 'PATCH', { status: 'running' })).status).toBe(200);
  });
});

describe('an exposure', () => {
  test('is a single evaluation that a running experiment decides, once; never a bulk answer', async () => {
    const app = await flagApp(service, org);
    const experiment = await experimentOf(app);
    const other = { all: [{ field: 'platform', op: 'is', value: 'web' }] };
    const flag = await flagOf(app, [{ where: other, variant: 'first' }, ruleOf(experiment)]);
    for (const person of PEOPLE.slice(0, 20)) {
      await app.askAll({ ...person, flagsRead: ['text'] });
      await app.ask('text', { ...person, platform: 'web' });
    }
    expect(exposures).toEqual([]);
    await app.ask('text', ANYBODY);
    await app.ask('text', ANYBODY);
    const arm = reckonArm(experiment, ANYBODY.targetingKey);
    expect(exposures.map(({ event, ...rest }) => ({ ...rest, ...event }))).toEqual([
      {
        id: expect.any(String),
        name: '$exposure',
        anonymousId: ANYBODY.targetingKey,
        props: { experiment: experiment.id, arm },
      },
    ]);
    await app.change(flag.id, { isOn: false });
    await app.ask('text', { targetingKey: 'another-person' });
    expect(exposures).toHaveLength(1);
  });

  test('is of the environment of the key, and of ids that events can have', async () => {
    const app = await flagApp(service, org);
    await flagOf(app, [ruleOf(await experimentOf(app))]);
    const developers = await createFlagKey(service, org.orgId, app.appId, 'development');
    await app.ask('text', ANYBODY, { authorization: `Bearer ${developers}` });
    await app.ask('text', { targetingKey: 'short' });
    expect(exposures.map(({ environment }) => environment)).toEqual(['development']);
  });
});

describe('what does not fit is refused', () => {
  test('a rule says for each arm of an experiment of the app which variant, and nothing else', async () => {
    const app = await flagApp(service, org);
    const experiment = await experimentOf(app, {}, null);
    const rule = ruleOf(experiment);
    const [first] = experiment.arms;
    const foreign = await experimentOf(await flagApp(service, org));
    const cases: [object, string][] = [
      [{ experiment: rule.experiment }, 'rules[0]: '],
      [{ ...rule, variant: 'first' }, 'rules[0]: '],
      [{ variations: rule.variations }, 'rules[0].experiment: '],
      [{ variant: 'first', experiment: rule.experiment }, 'rules[0].experiment: '],
      [{ ...rule, percent: 5 }, 'rules[0].percent: '],
      [ruleOf(foreign), 'rules[0].experiment: '],
      [{ ...rule, variations: { [first.id]: 'first' } }, 'rules[0].variations: '],
      [
        { ...rule, variations: { ...rule.variations, arm_x: 'first' } },
        'rules[0].variations.arm_x',
      ],
      [
        { ...rule, variations: { ...rule.variations, [first.id]: 'no' } },
        `rules[0].variations.${first.id}: `,
      ],
    ];
    for (const [wrong, place] of cases) {
      const { status, body } = await app.create({ ...TEXT, key: 'wrong', rules: [wrong] });
      expect([wrong, status, body.error?.hint?.startsWith(place)]).toEqual([wrong, 400, true]);
    }
  });

  test('an experiment in a rule keeps its arms and is not deleted', async () => {
    const app = await flagApp(service, org);
    const experiment = await experimentOf(app, {}, null);
    const flag = await flagOf(app, [ruleOf(experiment)]);
    const change = (body: object) => app.onExperiment(experiment.id, 'PATCH', body);
    const renamed = experiment.arms.map((arm: any) => ({ ...arm, name: `new ${arm.name}` }));
    expect((await change({ arms: renamed })).status).toBe(200);
    for (const arms of [ARMS, [...renamed, { name: 'third', weight: 1 }]]) {
      const { status, body } = await change({ arms });
      expect([status, body.error.message]).toEqual([409, expect.stringContaining('“text”')]);
    }
    const kept = await app.onExperiment(experiment.id, 'DELETE');
    expect([kept.status, kept.body.error.message]).toEqual([
      409,
      expect.stringContaining('“text”'),
    ]);
    await app.change(flag.id, { rules: [] });
    expect((await app.onExperiment(experiment.id, 'DELETE')).status).toBe(204);
    const back = await app.restore(flag.id, { version: 1 });
    expect([back.status, back.body.error.hint]).toEqual([
      400,
      expect.stringMatching(/^rules\[0\]\.experiment: /),
    ]);
  });

  test('arms have onboardings all or none, and only those without take a layer', async () => {
    const app = await flagApp(service, org);
    const { body } = await service.call(`/v1/apps/${app.appId}/onboardings`, {
      headers: org.key,
      body: { name: 'one', config: {} },
    });
    const shown = ARMS.map((arm) => ({ ...arm, onboardingId: body.id }));
    const layer = { name: 'a', fromPercent: 0, toPercent: 50 };
    const cases: [object, string][] = [
      [{ arms: [shown[0], ARMS[1]] }, 'arms[1].onboardingId: '],
      [{ arms: shown, layer }, 'layer: '],
      [{ arms: ARMS, layer: { ...layer, toPercent: 0 } }, 'layer.toPercent: '],
      [{ arms: ARMS, layer: { ...layer, fromPercent: 0.001 } }, 'layer.fromPercent: '],
    ];
    for (const [wrong, place] of cases) {
      const made = await app.experiment(wrong);
      expect([wrong, made.status]).toEqual([wrong, 400]);
      expect(made.body.error.hint).toStartWith(place);
    }
    const draft = await experimentOf(app, {}, null);
    const other = await app.onExperiment(draft.id, 'PATCH', { arms: shown });
    expect([other.status, other.body.error.hint]).toEqual([400, expect.stringMatching(/^arms: /)]);
    const taken = await app.onExperiment(draft.id, 'PATCH', { layer });
    expect(taken.body.layer).toEqual(layer);
  });
});
