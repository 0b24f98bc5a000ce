import fc from 'fast-check';
import type { SeriesQuestion } from '../../src/query/series/model.ts';
import { isMeant } from './conditions-reference.ts';
import type { PlainEvent } from './stitched-events.ts';

export type Selected = Pick<SeriesQuestion, 'filters' | 'names' | 'where'>;

/** What questions ask of events of `stitchedCases`. */
export const selections: fc.Arbitrary<Selected> = fc
  .record({
    names: fc.constantFrom<Selected['names']>(null, ['opened'], ['bought', 'opened'], ['never']),
    filters: fc.constantFrom<Selected['filters']>(
      {},
      {},
      { platform: 'other' },
      { property: { prop: 'plan', equals: '3' } },
    ),
    where: fc.constantFrom<Selected['where']>(
      undefined,
      undefined,
      { all: [{ field: 'platform', op: 'isNot', value: 'web' }] },
      {
        any: [
          { field: 'prop:plan', op: 'gte', value: 4 },
          {
            all: [
              { field: 'platform', op: 'isSet' },
              { field: 'name', op: 'is', value: 'bought' },
            ],
          },
        ],
      },
    ),
  })
  .map(({ where, ...more }) => ({ ...more, ...(where && { where }) }));

export function isSelected(one: PlainEvent, { names, filters, where }: Selected): boolean {
  const { row } = one;
  if (filters.platform && (row.platform ?? 'other') !== filters.platform) return false;
  const plan = row.props === null ? 'unknown' : String(JSON.parse(row.props).plan);
  if (filters.property && plan !== filters.property.equals) return false;
  return (names === null || names.includes(row.name)) && isMeant(row, where);
}
