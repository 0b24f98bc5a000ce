import { type Held, heldFor } from '../reading/projection/held.ts';
import { compileRowTest, compileConditions } from '../selection/row-test.ts';
import type { SeriesQuestion } from './model.ts';

type Asked = Pick<SeriesQuestion, 'filters' | 'names' | 'where'> &
  Partial<Pick<SeriesQuestion, 'breakdown' | 'crossed' | 'selections'>>;

/** Null where only SQL answers. */
export function heldForSeries({ names, breakdown = null, ...asked }: Asked): Held | null {
  const { selections, crossed } = asked;
  if (!selections) {
    const second = crossed ? [{ test: null, by: crossed, events: names }] : [];
    return heldFor([{ test: compileRowTest(asked), by: breakdown, events: names }, ...second]);
  }
  return heldFor(
    selections.flatMap(({ events = null, where }) => [
      { test: compileRowTest(asked), events },
      { test: where ? compileConditions(where) : null, events },
    ]),
  );
}
