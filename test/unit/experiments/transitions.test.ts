import { describe, expect, test } from 'bun:test';
import { DEFAULT_MEASUREMENT } from '../../../src/modules/experiments/measurement.model.ts';
import type { ChangeExperimentInput, Experiment } from '../../../src/modules/experiments/model.ts';
import { changed } from '../../../src/modules/experiments/transitions.ts';

const NOW = '2026-11-21T12:00:00.000Z';
const ARMS = [
  { id: 'arm_1', name: 'long', weight: 1, onboardingId: 'onb_1' },
  { id: 'arm_2', name: 'short', weight: 2, onboardingId: 'onb_2' },
];
const withoutIds = ARMS.map(({ id: _, ...arm }) => arm);

function experiment(status: Experiment['status']): Experiment {
  return {
    id: 'exp_1',
    appId: 'app_1',
    name: 'Onboarding',
    status,
    arms: ARMS,
    layer: null,
    createdAt: NOW,
    startedAt: null,
    stoppedAt: null,
    measurement: DEFAULT_MEASUREMENT,
    shipped: null,
  };
}

const LAYER = { name: 'checkout', fromPercent: 0, toPercent: 50 };

const after = (status: Experiment['status'], change: ChangeExperimentInput) =>
  changed(experiment(status), change, { now: NOW, newArmId: () => 'arm_new' });

describe('the status of an experiment', () => {
  test('goes from draft to running to stopped, with the time of each', () => {
    expect(after('draft', { status: 'running' })).toEqual({
      ...experiment('running'),
      startedAt: NOW,
    });
    expect(after('running', { status: 'stopped' })).toEqual({
      ...experiment('stopped'),
      stoppedAt: NOW,
    });
  });

  test('that is asked for again changes nothing', () => {
    for (const status of ['running', 'stopped'] as const) {
      expect(after(status, { status })).toEqual(experiment(status));
    }
  });

  test('never skips a step or goes back', () => {
    expect(() => after('draft', { status: 'stopped' })).toThrow('cannot become stopped');
    expect(() => after('stopped', { status: 'running' })).toThrow('cannot become running');
  });
});

describe('the arms of an experiment', () => {
  const names = (arms: NonNullable<ChangeExperimentInput['arms']>) => ({ arms });

  test('of a draft are replaced; those that name a known arm keep its id', () => {
    const arms = [
      { ...withoutIds[0]!, id: 'arm_2', weight: 7 },
      { ...withoutIds[1]!, id: 'arm_of_another' },
      withoutIds[1]!,
    ];
    expect(after('draft', names(arms)).arms).toEqual([
      { ...ARMS[0]!, id: 'arm_2', weight: 7 },
      { ...ARMS[1]!, id: 'arm_new' },
      { ...ARMS[1]!, id: 'arm_new' },
    ]);
  });

  test('once it has run may change their names only, and keep their ids', () => {
    const renamed = withoutIds.map((arm) => ({ ...arm, name: `new ${arm.name}` }));
    for (const status of ['running', 'stopped'] as const) {
      expect(after(status, names(renamed)).arms).toEqual(
        ARMS.map((arm) => ({ ...arm, name: `new ${arm.name}` })),
      );
      expect(after(status, names(ARMS)).arms).toEqual(ARMS);
    }
  });

  test.each([
    ['another weight', [{ ...withoutIds[0]!, weight: 2 }, withoutIds[1]!]],
    ['another onboarding', [withoutIds[0]!, { ...withoutIds[1]!, onboardingId: 'onb_3' }]],
    ['another id', [{ ...ARMS[0]!, id: 'arm_2' }, ARMS[1]!]],
    ['one arm more', [...withoutIds, withoutIds[0]!]],
    ['one arm less', [withoutIds[0]!]],
    ['another order', withoutIds.toReversed()],
  ])('once it has run refuse %s', (_what, arms) => {
    expect(() => after('running', names(arms))).toThrow('are fixed once the experiment has run');
  });

  test('and the name stay when they are not given', () => {
    expect(after('draft', {})).toEqual(experiment('draft'));
    expect(after('running', { name: 'Other' })).toEqual({
      ...experiment('running'),
      name: 'Other',
    });
  });
});

describe('the layer', () => {
  test('is taken and left in a draft, and fixed from the start on', () => {
    const taken = after('draft', { layer: LAYER });
    expect(taken.layer).toEqual(LAYER);
    const env = { now: NOW, newArmId: () => 'arm_new' };
    expect(changed(taken, { name: 'Other' }, env).layer).toEqual(LAYER);
    expect(changed(taken, { layer: null }, env).layer).toBeNull();
    for (const status of ['running', 'stopped'] as const) {
      expect(() => after(status, { layer: LAYER })).toThrow('The layer is fixed');
    }
  });
});

test('two arms of one id are refused', () => {
  const arms = ['one', 'other'].map((name) => ({ id: 'arm_a', name, weight: 1 }));
  expect(() => after('draft', { arms })).toThrow('not valid');
});
