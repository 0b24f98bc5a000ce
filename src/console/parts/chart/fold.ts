import type { ChartMark } from './types.ts';

/** Width and height of a mark without its label. */
export const CHIP = 20;
/** What a finger or an unsteady hand needs. */
export const TARGET = 24;
const BEFORE_LABEL = 19;
const AFTER_LABEL = 8;
const BETWEEN = 4;

export type Chip = {
  x: number;
  left: number;
  width: number;
  days: readonly number[];
  marks: readonly ChartMark[];
  label: string | null;
};

/** A rule's word first, then versions and prices. */
const ORDER = ['version', 'price', 'release', 'experiment', 'note'] as const;
const rank = ({ tone, kind }: ChartMark) => (tone ? 0 : 10) + ORDER.indexOf(kind);

type Placed = { mark: ChartMark; x: number };
type Group = { x: number; marks: readonly Placed[] };

const sortedGroup = (marks: readonly Placed[]): Group => {
  const sorted = marks.toSorted((a, b) => rank(a.mark) - rank(b.mark) || a.x - b.x);
  return { x: sorted[0]?.x ?? 0, marks: sorted };
};

function grouped(placed: readonly Placed[]): Group[] {
  const groups: Placed[][] = [];
  for (const one of placed.toSorted((a, b) => a.x - b.x)) {
    const last = groups.at(-1);
    if (last && one.x - sortedGroup(last).x < TARGET) last.push(one);
    else groups.push([one]);
  }
  return groups.map(sortedGroup);
}

function labelsOf({ marks }: Group): string[] {
  const more = marks.length > 1 ? `+${marks.length - 1}` : '';
  return [`${marks[0]?.mark.label ?? ''} ${more}`.trim(), more].filter((text) => text !== '');
}

/** One that a rule spoke of keeps its label. */
export function fold(
  placed: readonly Placed[],
  options: { min: number; max: number; widthOf: (label: string) => number },
): Chip[] {
  const waiting = grouped(placed);
  const widthOf = (label: string) => BEFORE_LABEL + options.widthOf(label) + AFTER_LABEL;
  const chips: Chip[] = [];
  let edge = options.min;
  for (let group = waiting.shift(); group; group = waiting.shift()) {
    const left = Math.max(edge, Math.min(group.x - CHIP / 2, options.max - CHIP));
    const roomOf = (next: Group | undefined) =>
      (next ? next.x - CHIP / 2 - BETWEEN : options.max) - left;
    const isKept = group.marks[0]?.mark.tone !== undefined;
    let next = waiting[0];
    while (
      isKept &&
      next &&
      !next.marks[0]?.mark.tone &&
      widthOf(labelsOf(group)[0] ?? '') > roomOf(next)
    ) {
      group = { x: group.x, marks: [...group.marks, ...next.marks] };
      waiting.shift();
      next = waiting[0];
    }
    const room = roomOf(next);
    const label = labelsOf(group).find((text) => widthOf(text) <= room) ?? null;
    const width = label === null ? CHIP : widthOf(label);
    const marks = group.marks.map(({ mark }) => mark);
    const days = [...new Set(group.marks.map(({ x }) => x))];
    chips.push({ x: group.x, left, width, marks, label, days });
    edge = left + width;
  }
  return chips;
}
