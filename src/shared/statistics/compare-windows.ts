import { at } from '../assert.ts';
import { MINIMUM_PEOPLE } from './minimum.ts';
import { differenceOfRates, rate } from './rates.ts';
import { judge } from './verdict.ts';

type Share = { part: number; whole: number };

const NO_DIFFERENCE = { difference: null, low: null, high: null };

/** None under fifty people on either side. */
function compared(now: Share, before: Share) {
  const isDrawn = Math.min(now.whole, before.whole) >= MINIMUM_PEOPLE;
  return {
    now: rate(now.part, now.whole),
    before: rate(before.part, before.whole),
    ...(isDrawn ? differenceOfRates(now, before) : NO_DIFFERENCE),
  };
}

/** Newcombe's hybrid score method, 95 %; counts only under fifty in step 1 of either. */
export function compareWindows(
  now: readonly number[],
  before: readonly number[],
  isComparable = true,
) {
  const [startedNow, startedBefore] = [at(now, 0), at(before, 0)];
  const isReady = isComparable && judge(startedNow) === 'ready' && judge(startedBefore) === 'ready';
  return {
    people: startedBefore,
    verdict: judge(startedBefore),
    steps: now.map((people, index) => {
      const peopleBefore = at(before, index);
      if (!isReady || index === 0) {
        const counted = isReady ? peopleBefore : null;
        return { index: index + 1, people: counted, fromPrevious: null, fromStart: null };
      }
      const of = (wholeNow: number, wholeBefore: number) =>
        compared({ part: people, whole: wholeNow }, { part: peopleBefore, whole: wholeBefore });
      return {
        index: index + 1,
        people: peopleBefore,
        fromPrevious: of(at(now, index - 1), at(before, index - 1)),
        fromStart: of(startedNow, startedBefore),
      };
    }),
  };
}
