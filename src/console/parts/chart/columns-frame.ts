import { linear } from './scale.ts';
import type { Figure, FunnelGroup, Slot } from './types.ts';

const LEFT_PX = 44;
const RIGHT_PX = 4;
const TOP_PX = 24;
const BOTTOM_PX = 264;
/** Before the columns of a step. */
const INDENT_PX = 24;
const BETWEEN_PX = 6;
const LEAST_BETWEEN_PX = 2;
const WIDEST_PX = 60;
/** A column by itself. */
const WIDEST_SINGLE_PX = 120;
const NARROWEST_PX = 3;
const GAP_PX = 72;

export type ColumnsFrame = {
  left: number;
  right: number;
  bottom: number;
  pitch: number;
  groups: number;
  bar: number;
  between: number;
  starts: readonly number[];
  gap: number;
  gapMiddle: (step: number) => number;
  y: (share: number) => number;
};

export function columnsFrame(
  width: number,
  { steps, groups }: { steps: number; groups: number },
): ColumnsFrame {
  const [left, right] = [LEFT_PX, Math.max(LEFT_PX, width - RIGHT_PX)];
  const pitch = (right - left) / Math.max(1, steps);
  const count = Math.max(1, groups);
  const indent = Math.min(INDENT_PX, pitch * 0.1);
  const isRoomy = pitch > GAP_PX * 2;
  const between = isRoomy ? BETWEEN_PX : LEAST_BETWEEN_PX;
  const room = pitch - (isRoomy ? GAP_PX : indent * 2) - (count - 1) * between;
  const widest = count === 1 ? WIDEST_SINGLE_PX : WIDEST_PX;
  const bar = Math.max(NARROWEST_PX, Math.min(widest, room / count));
  const starts = Array.from({ length: steps }, (_, step) => left + step * pitch + indent);
  const all = count * bar + (count - 1) * between;
  const gap = pitch - all;
  return {
    ...{ left, right, bottom: BOTTOM_PX, pitch, groups: count, bar, between, starts, gap },
    gapMiddle: (step) => (starts[step] ?? 0) - gap / 2,
    y: linear([0, 1], [BOTTOM_PX, TOP_PX]),
  };
}

export type ColumnBox = {
  key: string;
  name: string;
  slot: Slot;
  step: number;
  isFirst: boolean;
  x: number;
  people: number;
  rate: number;
  before: number;
  low: Figure;
  high: Figure;
  lost: number;
};

export function columnBoxes(
  groups: readonly FunnelGroup[],
  { starts, bar, between }: ColumnsFrame,
  slotOf: (index: number) => Slot,
): ColumnBox[] {
  return starts.flatMap((start, step) =>
    groups.flatMap(({ key, name, slot, steps }, index): ColumnBox[] => {
      const [own, previous] = [steps[step], steps[step - 1]];
      if (!own) return [];
      const rate = step === 0 ? 1 : own.rate;
      if (rate === null) return [];
      const box = { key, name, step, slot: slot ?? slotOf(index), people: own.people };
      return [
        {
          ...box,
          isFirst: step === 0,
          x: start + index * (bar + between),
          rate,
          before: step <= 1 ? 1 : (previous?.rate ?? rate),
          low: own.low,
          high: own.high,
          lost: Math.max(0, (previous?.people ?? own.people) - own.people),
        },
      ];
    }),
  );
}
