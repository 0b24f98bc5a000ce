import { describe, expect, test } from 'bun:test';
import { assignArm } from '../../../src/modules/experiments/assignment.ts';
import { checkSampleRatio, chiSquareTail } from '../../../src/modules/experiments/sample-ratio.ts';

describe('chiSquareTail', () => {
  // Critical values of the published tables: degrees of freedom, value, probability.
  test.each([
    [1, 3.841, 0.05],
    [1, 6.635, 0.01],
    [1, 10.828, 0.001],
    [2, 5.991, 0.05],
    [2, 13.816, 0.001],
    [3, 7.815, 0.05],
    [3, 16.266, 0.001],
    [4, 9.488, 0.05],
    [4, 18.467, 0.001],
    [5, 11.07, 0.05],
    [5, 20.515, 0.001],
  ])('%d degrees, %d → %d', (degrees, value, expected) => {
    expect(chiSquareTail(value, degrees)).toBeCloseTo(expected, expected < 0.01 ? 5 : 3);
  });

  // To the digits that the approximation promises (exact values by another method).
  test.each([
    [1, 3.841458820694124, 0.05],
    [1, 0.4549364231195725, 0.5],
    [2, 5.991464547107979, 0.05],
    [3, 7.814727903251176, 0.05],
    [4, 9.487729036781154, 0.05],
    [5, 11.070497693516351, 0.05],
  ])('%d degrees, %d → %d, to six digits', (degrees, value, expected) => {
    expect(Math.abs(chiSquareTail(value, degrees) - expected)).toBeLessThan(1.3e-7);
  });

  test('no distance at all is certain', () => {
    for (const degrees of [1, 2, 3, 4, 5]) expect(chiSquareTail(0, degrees)).toBe(1);
  });
});

describe('checkSampleRatio', () => {
  const arms = (a: number, b: number, weights = [1, 1]) => [
    { people: a, weight: weights[0] ?? 1 },
    { people: b, weight: weights[1] ?? 1 },
  ];

  test('says nothing under 100 exposures', () => {
    expect(checkSampleRatio(arms(99, 0))).toEqual({ pValue: null, verdict: 'too_few_people' });
    expect(checkSampleRatio(arms(0, 0)).verdict).toBe('too_few_people');
  });

  test('finds a 52/48 split of a 50/50 experiment at 20,000 people', () => {
    expect(checkSampleRatio(arms(10_400, 9_600)).verdict).toBe('do_not_trust');
  });

  test('is silent on an even split and on one that follows uneven weights', () => {
    expect(checkSampleRatio(arms(10_050, 9_950)).verdict).toBe('as_expected');
    expect(checkSampleRatio(arms(18_000, 2_000, [9, 1])).verdict).toBe('as_expected');
  });

  test('raises a false alarm in at most 1 of 1,000 fair experiments', () => {
    const EXPERIMENTS = 3_000;
    let alarms = 0;
    for (let experiment = 0; experiment < EXPERIMENTS; experiment += 1) {
      const counts = [0, 0];
      for (let person = 0; person < 200; person += 1) {
        const arm = assignArm(`exp_${experiment}`, [1, 1], `person-${person}`);
        counts[arm] = (counts[arm] ?? 0) + 1;
      }
      if (checkSampleRatio(arms(counts[0] ?? 0, counts[1] ?? 0)).verdict === 'do_not_trust') {
        alarms += 1;
      }
    }
    // The people and the experiments are fixed, so this count is the same at every run.
    expect(alarms / EXPERIMENTS).toBeLessThanOrEqual(0.001);
  });
});
