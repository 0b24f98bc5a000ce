import { type Held, heldFor } from '../reading/projection/held.ts';
import { rowTestOf } from '../selection/row-test.ts';
import type { SeriesQuestion } from './model.ts';

type Asked = Pick<SeriesQuestion, 'filters' | 'names' | 'where'> &
  Partial<Pick<SeriesQuestion, 'breakdown' | 'selections'>>;

/** Null where only SQL answers. */
export function heldForSeries({ names, breakdown = null, ...asked }: Asked): Held | null {
  if (asked.selections) return null;
  return heldFor([{ test: rowTestOf(asked), by: breakdown, events: names }]);
}
