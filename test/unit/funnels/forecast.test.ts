import { describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import fc from 'fast-check';
import { type Compared, forecastChange } from '../../../src/modules/questions/series/change.ts';
import { Forecast, forecast, type Pace } from '../../../src/shared/statistics/forecast.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-03-20T12:00:00Z');
const ago = (days: number) => NOW - days * DAY;
const inDays = (days: number) => new Date(NOW + days * DAY).toISOString();
const of = (pace: Partial<Pace>) =>
  forecast({ people: 24, firstMs: ago(3), fromMs: ago(30), toMs: NOW, nowMs: NOW, ...pace });

describe('a forecast of fifty people', () => {
  test('of a young app is when they will have come at the pace since its first event', () => {
    expect(of({})).toEqual({
      people: 24,
      missingPeople: 26,
      peoplePerDay: 8,
      expectedAt: inDays(4),
      windowDays: 7,
      text: '24 of 50 people so far. At 8 a day there will be 50 in about 4 days.',
    });
    expect(of({ people: 49, firstMs: ago(7) })).toMatchObject({
      expectedAt: inDays(1),
      windowDays: 8,
      text: '49 of 50 people so far. At 7 a day there will be 50 in about 1 day.',
    });
    // What came within an hour is no pace of a day.
    expect(of({ people: 5, firstMs: ago(0.04) })).toMatchObject({
      peoplePerDay: 5,
      windowDays: 10,
    });
    expect(of({ people: 1, firstMs: ago(3) })?.text).toContain('At 0.33 a day');
  });

  test('of a small app that is older than the window is the window that it takes', () => {
    expect(of({ people: 10, firstMs: ago(30) })).toEqual({
      people: 10,
      missingPeople: 40,
      peoplePerDay: 1 / 3,
      expectedAt: null,
      windowDays: 150,
      text: '10 of 50 people came in this window. At 0.33 a day it takes a window of about 150 days.',
    });
    expect(of({ people: 3, firstMs: ago(30) })).toMatchObject({
      windowDays: null,
      text: '3 of 50 people came in this window. At 0.1 a day no window of up to 400 days has 50.',
    });
    expect(of({ people: 10, firstMs: ago(80) })?.windowDays).toBe(150);
    // The longest window is one.
    expect(of({ people: 4, firstMs: ago(32), fromMs: ago(32) })?.windowDays).toBe(400);
  });

  test('of a window of just the length that it takes is a time, of a shorter one the length', () => {
    const pace = { people: 45, firstMs: ago(9), fromMs: ago(10) };
    expect(of(pace)).toMatchObject({ expectedAt: inDays(1), windowDays: 10 });
    const shorter = of({ ...pace, fromMs: ago(9.5) });
    expect(shorter).toMatchObject({ expectedAt: null, windowDays: 11 });
    expect(of({ people: 49, firstMs: ago(1), fromMs: ago(1) })).toMatchObject({ windowDays: 2 });
  });

  test('of a window that is over has no time', () => {
    const past = of({ people: 40, fromMs: ago(20), firstMs: ago(12), toMs: ago(10) });
    expect(past).toMatchObject({ peoplePerDay: 20, expectedAt: null, windowDays: 3 });
    expect(past?.text).toBe(
      '40 of 50 people came in this window. At 20 a day it takes a window of about 3 days.',
    );
    // One whose end is yet to come goes on.
    expect(of({ toMs: NOW + 5 * DAY })?.expectedAt).toBe(inDays(4));
  });

  test('of nobody has no pace, and of fifty there is none', () => {
    expect(of({ people: 0, firstMs: null })).toEqual({
      people: 0,
      missingPeople: 50,
      peoplePerDay: 0,
      expectedAt: null,
      windowDays: null,
      text: '0 of 50 people came in this window.',
    });
    expect(of({ people: 0 })).toEqual(of({ people: 0, firstMs: null }));
    // A first event a day after all that was seen belongs to nobody of the window.
    expect(of({ firstMs: NOW + DAY })?.text).toBe('24 of 50 people came in this window.');
    expect(of({ firstMs: NOW + DAY - 1 })?.peoplePerDay).toBe(24);
    expect(of({ people: 7, firstMs: null })?.peoplePerDay).toBe(0);
    expect(of({ people: 50 })).toBeNull();
    expect(of({ people: 51 })).toBeNull();
    expect(of({ people: 49 })).not.toBeNull();
  });

  test('comes true for who keeps the pace', () => {
    const pace = fc.record({
      perDay: fc.integer({ min: 2, max: 60 }),
      age: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(pace, ({ perDay, age }) => {
        const found = of({ people: perDay * age, firstMs: ago(age) });
        if (perDay * age >= 50) return expect(found).toBeNull();
        const days = (Date.parse(found?.expectedAt ?? '') - NOW) / DAY;
        expect(perDay * (age + days)).toBeGreaterThanOrEqual(50);
        expect(perDay * (age + days - 1)).toBeLessThan(50);
      }),
    );
  });
});

test('a forecast counts from nobody, misses one at least and takes a day at least', () => {
  const given = of({})!;
  const fits = (change: object) => Value.Check(Forecast, { ...given, ...change });
  expect(fits({ people: 0, missingPeople: 1, peoplePerDay: 0, windowDays: 1 })).toBe(true);
  expect(fits({ people: -1 })).toBe(false);
  expect(fits({ missingPeople: 0 })).toBe(false);
  expect(fits({ peoplePerDay: -0.1 })).toBe(false);
  expect(fits({ windowDays: 0 })).toBe(false);
});

describe('a forecast of changes', () => {
  const change = (compared: Partial<Compared>) =>
    forecastChange({
      people: 80,
      present: 0,
      previousPeople: 0,
      firstMs: ago(10),
      fromMs: ago(28),
      finishedMs: NOW,
      toMs: NOW,
      nowMs: NOW,
      ...compared,
    });

  test('is when this window has become the one before, from the fiftieth person on', () => {
    // Eight a day: the fiftieth came after 6.25 days, and 28 days later they lie before the window.
    expect(change({})).toEqual({
      people: 0,
      missingPeople: 50,
      peoplePerDay: 8,
      windowDays: null,
      expectedAt: inDays(25),
      text: 'The window before has 0 of 50 people: changes are drawn in about 25 days.',
    });
  });

  test('is when those who are missing have come, where somebody came before', () => {
    expect(change({ people: 224, previousPeople: 16, firstMs: ago(28) })).toMatchObject({
      missingPeople: 34,
      peoplePerDay: 8,
      expectedAt: inDays(5),
    });
    expect(change({ people: 224, previousPeople: 49, firstMs: ago(28) }).text).toBe(
      'The window before has 49 of 50 people: changes are drawn in about 1 day.',
    );
  });

  test('is known on the first day of an app, and before the first interval is over', () => {
    // Sixty people since this morning, of a window whose other 28 days were empty.
    const morning = { people: 0, present: 60, firstMs: ago(0.5), finishedMs: ago(0.5) };
    expect(change({ ...morning, fromMs: ago(28.5), toMs: NOW + DAY / 2 })).toMatchObject({
      peoplePerDay: 60,
      // The fiftieth came twenty hours after the first; then the 28 days pass.
      expectedAt: inDays(29),
    });
    // A month that began six days ago, and nothing before it in the window.
    const month = { fromMs: ago(6), firstMs: ago(6), finishedMs: ago(6), toMs: NOW + 24 * DAY };
    expect(change({ ...month, people: 0, present: 240 })).toMatchObject({
      peoplePerDay: 40,
      expectedAt: inDays(26),
      text: 'The window before has 0 of 50 people: changes are drawn in about 26 days.',
    });
    expect(change({ ...month, people: 0, present: 0 })).toMatchObject({
      peoplePerDay: 0,
      expectedAt: null,
      text: 'The window before has 0 of 50 people.',
    });
    // Who came in intervals that are over says more than who came since.
    expect(change({ people: 1, present: 60, firstMs: ago(28) }).peoplePerDay).toBe(1 / 28);
  });

  test('is never past, takes a day as the least, and has no time for a window that is over', () => {
    const steep = { people: 900, firstMs: ago(28), finishedMs: ago(28) + DAY, previousPeople: 0 };
    expect(change(steep).expectedAt).toBe(inDays(1));
    expect(change({ people: 60, firstMs: ago(0.1) }).peoplePerDay).toBe(60);
    expect(change({ firstMs: null }).peoplePerDay).toBe(80 / 28);
    expect(change({ firstMs: ago(40) }).peoplePerDay).toBe(80 / 28);
    expect(change({ toMs: ago(1), finishedMs: ago(1), previousPeople: 7 })).toMatchObject({
      expectedAt: null,
      text: 'The window before has 7 of 50 people.',
    });
  });
});
