import { signal } from '@preact/signals';
import { isolated } from '../../format.ts';

const FONT_PX = 11;
/** Mean of the face, where nothing can be measured. */
const CHARACTER_PX = 6.2;

const known = new Map<string, number>();

/** Counts faces that have come, since texts are measured anew in each. */
export const faces = signal(0);
if (typeof document !== 'undefined') {
  document.fonts.addEventListener('loadingdone', () => {
    known.clear();
    faces.value++;
  });
}

let context: CanvasRenderingContext2D | null | undefined;

function contextOf(): CanvasRenderingContext2D | null {
  if (typeof document === 'undefined') return null;
  context ??= document.createElement('canvas').getContext('2d');
  return context;
}

/** In an axis, a label or at the end of a line. */
export function textWidth(text: string, weight = 400, sizePx = FONT_PX): number {
  const key = `${weight} ${sizePx} ${text}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const drawing = contextOf();
  if (!drawing) return (text.length * CHARACTER_PX * sizePx) / FONT_PX;
  drawing.font = `${weight} ${sizePx}px ${getComputedStyle(document.documentElement).fontFamily}`;
  const width = drawing.measureText(text).width;
  known.set(key, width);
  return width;
}

export function cut(text: string, room: number, widthOf: (text: string) => number): string {
  if (widthOf(text) <= room) return isolated(text);
  const letters = [...text];
  let [fits, tooMany] = [0, letters.length];
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (widthOf(`${letters.slice(0, middle).join('')}…`) <= room) fits = middle;
    else tooMany = middle;
  }
  return isolated(`${letters.slice(0, fits).join('').trimEnd()}…`);
}
