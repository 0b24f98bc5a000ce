import type { ChartMark } from './types.ts';

/** Width and height of a mark without its label. */
export const CHIP = 20;
const BEFORE_LABEL = 19;
const AFTER_LABEL = 8;
const BETWEEN = 4;

export type Chip = {
  /** The place of the day, from where a line leads down. */
  x: number;
  left: number;
  width: number;
  /** The one that gives icon, label and tone comes first. */
  marks: readonly ChartMark[];
  label: string | null;
};

/** What stands for several marks: what a rule spoke of, then versions and prices. */
const ORDER = ['version', 'price', 'release', 'experiment', 'note'] as const;
const rank = ({ tone, kind }: ChartMark) => (tone ? 0 : 10) + ORDER.indexOf(kind);

/** Marks of one place, or too near to each other for two icons, as one. */
function grouped(placed: readonly { mark: ChartMark; x: number }[]) {
  const groups: { x: number; marks: { mark: ChartMark; x: number }[] }[] = [];
  for (const one of placed.toSorted((a, b) => a.x - b.x)) {
    const last = groups.at(-1);
    if (last && one.x - last.x < CHIP) last.marks.push(one);
    else groups.push({ x: one.x, marks: [one] });
  }
  return groups.map(({ marks }) => {
    const sorted = marks.toSorted((a, b) => rank(a.mark) - rank(b.mark) || a.x - b.x);
    return { x: sorted[0]?.x ?? 0, marks: sorted.map(({ mark }) => mark) };
  });
}

/** Chips of the lane from left to right: a label where there is room, else the icon. */
export function fold(
  placed: readonly { mark: ChartMark; x: number }[],
  options: { min: number; max: number; widthOf: (label: string) => number },
): Chip[] {
  const groups = grouped(placed);
  let edge = options.min;
  return groups.map(({ x, marks }, index) => {
    const next = groups[index + 1];
    const left = Math.max(edge, Math.min(x - CHIP / 2, options.max - CHIP));
    const room = (next ? next.x - CHIP / 2 - BETWEEN : options.max) - left;
    const more = marks.length > 1 ? `+${marks.length - 1}` : '';
    const labels = [`${marks[0]?.label ?? ''} ${more}`.trim(), more].filter((text) => text !== '');
    const sized = labels.map((label) => ({
      label,
      width: BEFORE_LABEL + options.widthOf(label) + AFTER_LABEL,
    }));
    const fitting = sized.find(({ width }) => width <= room);
    const chip = { x, left, width: CHIP, marks, label: null, ...fitting };
    edge = chip.left + chip.width;
    return chip;
  });
}
