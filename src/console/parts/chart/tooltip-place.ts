type Size = { width: number; height: number };
type Point = { x: number; y: number };

const GAP = 14;

export function tooltipPlace(options: {
  size: Size;
  room: Size;
  lineX: number;
  /** Absent when keys moved the crosshair. */
  pointer: Point | undefined;
  top: number;
  bottom: number;
  points: readonly Point[];
}): { left: number; top: number } {
  const { size, room, lineX, pointer, points } = options;
  const rightOf = Math.max(lineX, pointer?.x ?? lineX) + GAP;
  const leftOf = Math.min(lineX, pointer?.x ?? lineX) - GAP - size.width;
  const fitsRight = rightOf + size.width <= room.width;
  const left = fitsRight || leftOf < 0 ? Math.min(rightOf, room.width - size.width) : leftOf;
  const lowest = Math.max(options.top, options.bottom - size.height);
  const heights = [lowest, (options.top + lowest) / 2, options.top];
  const covered = (top: number) =>
    points.filter(
      ({ x, y }) => x >= left && x <= left + size.width && y >= top && y <= top + size.height,
    ).length;
  const best = heights.reduce((one, other) => (covered(other) < covered(one) ? other : one));
  return { left: Math.max(0, left), top: best };
}
