import { describe, expect, test } from 'bun:test';
import type { BackendKnown } from '../../../src/temporal/contracts/backend.ts';
import {
  type BackendProgress,
  counted,
  describe as describeKnown,
  nextStep,
} from '../../../workflows/backend-provisioning.state.ts';

const project = { kind: 'connected', projectRef: 'abc', url: 'https://abc.example' } as const;
const START: BackendProgress = { searches: 0, checks: 0 };

/** Every step of a run in which nothing ever changes. */
function allSteps(known: BackendKnown) {
  const steps = [];
  let progress = START;
  for (let step = nextStep(known, progress); step && steps.length < 1_000; ) {
    steps.push(step);
    progress = counted(progress, step);
    if (step.kind === 'release') break;
    step = nextStep(known, progress);
  }
  return steps;
}

describe('nextStep', () => {
  test('nothing is left to do without a project, and with a healthy one', () => {
    expect(nextStep({ kind: 'none' }, START)).toBeNull();
    expect(nextStep({ ...project, isHealthy: true }, START)).toBeNull();
  });

  test('a project in doubt is looked for during ten minutes, then released', () => {
    const steps = allSteps({ kind: 'uncertain' });
    expect(steps.at(-1)?.kind).toBe('release');
    expect(steps.filter((step) => step.kind === 'release').length).toBe(1);
    const seconds = steps.reduce((sum, step) => sum + step.afterSeconds, 0);
    expect(seconds).toBeGreaterThanOrEqual(600);
    expect(seconds).toBeLessThan(700);
    expect(steps).toHaveLength(21);
    expect(new Set(steps.map((step) => step.afterSeconds))).toEqual(new Set([30]));
  });

  test('health is asked for less and less often, and not for ever', () => {
    const steps = allSteps({ ...project, isHealthy: false });
    expect(steps.every((step) => step.kind === 'checkHealth')).toBe(true);
    expect(steps[0]?.afterSeconds).toBe(5);
    expect(steps.at(-1)?.afterSeconds).toBe(60);
    const pauses = steps.map((step) => step.afterSeconds);
    expect(pauses.slice(0, 4)).toEqual([5, 7.5, 11.25, 16.875]);
    expect(pauses).toHaveLength(130);
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
    const hours = pauses.reduce((sum, pause) => sum + pause, 0) / 3_600;
    expect(hours).toBeGreaterThan(1.5);
    expect(hours).toBeLessThan(3);
  });
});

test('counted counts searches and checks apart', () => {
  const step = (kind: 'search' | 'release' | 'checkHealth') => ({ kind, afterSeconds: 1 });
  expect(counted(START, step('search'))).toEqual({ searches: 1, checks: 0 });
  expect(counted(START, step('release'))).toEqual({ searches: 1, checks: 0 });
  expect(counted(START, step('checkHealth'))).toEqual({ searches: 0, checks: 1 });
});

test('an operator reads what is certain', () => {
  expect(describeKnown({ kind: 'none' })).toBe('No project');
  expect(describeKnown({ kind: 'uncertain' })).toContain('looking for it');
  expect(describeKnown({ ...project, isHealthy: true })).toBe('Project abc, healthy');
  expect(describeKnown({ ...project, isHealthy: false })).toContain('coming up');
});
