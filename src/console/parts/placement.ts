type Side = 'top' | 'bottom';
export type Placement = Side | `${Side}-${'start' | 'end'}`;

type Size = { width: number; height: number };
type Box = { left: number; right: number; top: number; bottom: number };
type Placed = {
  x: number;
  y: number;
  /** As high as it may be. */
  room: number;
};

const GAP = 6;
const EDGE = 8;

/** On the wanted side if it has room there, and on the screen. */
export function placed(anchor: Box, panel: Size, screen: Size, placement: Placement): Placed {
  const [wanted, align] = placement.split('-');
  const above = anchor.top - GAP - EDGE;
  const below = screen.height - anchor.bottom - GAP - EDGE;
  const [wantedRoom, otherRoom] = wanted === 'top' ? [above, below] : [below, above];
  const isOther = panel.height > wantedRoom && otherRoom > wantedRoom;
  const isAbove = (wanted === 'top') !== isOther;
  const room = Math.max(0, isOther ? otherRoom : wantedRoom);
  const height = Math.min(panel.height, room);
  const center = (anchor.left + anchor.right - panel.width) / 2;
  const x = { start: anchor.left, end: anchor.right - panel.width }[align ?? ''] ?? center;
  return {
    x: Math.max(EDGE, Math.min(x, screen.width - panel.width - EDGE)),
    y: isAbove ? anchor.top - GAP - height : anchor.bottom + GAP,
    room,
  };
}
