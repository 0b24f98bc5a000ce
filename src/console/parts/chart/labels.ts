export function spread(
  wanted: readonly number[],
  { gap, min, max }: { gap: number; min: number; max: number },
): number[] {
  const order = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  // Names that touch stand together around their middle.
  const blocks: { members: number[]; middle: number }[] = [];
  const span = (members: readonly number[]) => (members.length - 1) * gap;
  const settle = (members: readonly number[]) => {
    const mean = members.reduce((sum, index) => sum + (wanted[index] ?? 0), 0) / members.length;
    const half = span(members) / 2;
    return Math.max(min + half, Math.min(max - half, mean));
  };
  for (const index of order) {
    let members = [index];
    for (let last = blocks.at(-1); last; last = blocks.at(-1)) {
      const end = last.middle + span(last.members) / 2;
      if (settle(members) - span(members) / 2 - end >= gap) break;
      members = [...last.members, ...members];
      blocks.pop();
    }
    blocks.push({ members, middle: settle(members) });
  }
  const placed = wanted.map((height) => height);
  for (const { members, middle } of blocks) {
    members.forEach((index, rank) => {
      placed[index] = middle - span(members) / 2 + rank * gap;
    });
  }
  return placed;
}

/** With the least k at which no two touch. */
export function thinned<T extends { x: number; width: number }>(
  names: readonly T[],
  gap: number,
): T[] {
  for (let every = 1; every < names.length; every++) {
    const kept = names.filter((_, index) => index % every === 0);
    const touches = kept.some(
      (name, index) => index > 0 && spanBetween(kept[index - 1], name) < gap,
    );
    if (!touches) return kept;
  }
  return names.slice(0, 1);
}

const spanBetween = (
  a: { x: number; width: number } | undefined,
  b: { x: number; width: number },
): number => (a ? b.x - b.width / 2 - (a.x + a.width / 2) : Number.POSITIVE_INFINITY);
