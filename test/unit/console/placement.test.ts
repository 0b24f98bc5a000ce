import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Placement, placed } from '../../../src/console/parts/placement.ts';

const SCREEN = { width: 1000, height: 800 };
const EDGE = 8;
const GAP = 6;
const anchorAt = (left: number, top: number) => ({
  left,
  right: left + 100,
  top,
  bottom: top + 30,
});
const PANEL = { width: 200, height: 300 };

describe('a panel', () => {
  test('stands below its anchor, at its start, end or middle', () => {
    const anchor = anchorAt(400, 100);
    const xOf = (placement: Placement) => placed(anchor, PANEL, SCREEN, placement).x;
    expect([xOf('bottom-start'), xOf('bottom-end'), xOf('bottom')]).toEqual([400, 300, 350]);
    expect(placed(anchor, PANEL, SCREEN, 'bottom').y).toBe(130 + GAP);
  });

  test('stands on the other side where there is more room, and there only', () => {
    expect(placed(anchorAt(400, 700), PANEL, SCREEN, 'bottom').y).toBe(700 - GAP - PANEL.height);
    expect(placed(anchorAt(400, 50), PANEL, SCREEN, 'top').y).toBe(80 + GAP);
    const high = { width: 200, height: 2_000 };
    const { y, room } = placed(anchorAt(400, 300), high, SCREEN, 'bottom');
    expect([y, room]).toEqual([330 + GAP, 800 - 330 - GAP - EDGE]);
  });

  test('is never off the screen that has room for it, and never over its anchor', () => {
    const number = (min: number, max: number) => fc.integer({ min, max });
    const side = fc.constantFrom<Placement>(
      'top',
      'top-start',
      'bottom',
      'bottom-start',
      'bottom-end',
    );
    fc.assert(
      fc.property(
        ...([number(0, 900), number(0, 770), number(1, 984), number(1, 3_000), side] as const),
        (left, top, width, height, placement) => {
          const anchor = anchorAt(left, top);
          const { x, y, room } = placed(anchor, { width, height }, SCREEN, placement);
          const bottom = y + Math.min(height, room);
          expect(x >= EDGE && x + width <= SCREEN.width - EDGE).toBe(true);
          expect(y >= EDGE && bottom <= SCREEN.height - EDGE).toBe(true);
          expect(bottom <= anchor.top - GAP || y >= anchor.bottom + GAP).toBe(true);
        },
      ),
    );
  });
});
