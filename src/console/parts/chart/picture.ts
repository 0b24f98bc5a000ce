import { download } from '../download.ts';
import { textWidth } from './text.ts';
import type { Paint } from './types.ts';

const SCALE = 2;
const SIDE_PX = 20;
const HEAD_PX = 60;
/** The head without a second line. */
const TITLE_PX = 40;
const BELOW_PX = 16;
const NAME_GAP_PX = 16;
const SVG = 'http://www.w3.org/2000/svg';
const STYLED = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap'],
  ...['stroke-linejoin', 'opacity', 'font-family', 'font-size', 'font-weight', 'paint-order'],
];
const PASSING = '.crosshair, .dragged, title';

const token = (name: string) =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function plainCopy(drawn: SVGSVGElement): SVGSVGElement {
  const holder = document.createElement('div');
  holder.append(drawn.cloneNode(true));
  const copy = holder.querySelector('svg') ?? document.createElementNS(SVG, 'svg');
  const [originals, copies] = [drawn.querySelectorAll('*'), [...copy.querySelectorAll('*')]];
  originals.forEach((original, index) => {
    const style = getComputedStyle(original);
    const one = copies[index];
    for (const name of STYLED) one?.setAttribute(name, style.getPropertyValue(name));
    one?.removeAttribute('class');
    if (original.matches(PASSING)) one?.setAttribute('data-passing', '');
  });
  for (const one of copy.querySelectorAll('[data-passing]')) one.remove();
  return copy;
}

function addText(to: Element, text: string, attributes: Record<string, string>): void {
  const element = document.createElementNS(SVG, 'text');
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  to.append(element);
}

function addRect(to: Element, attributes: Record<string, string | number>): void {
  const element = document.createElementNS(SVG, 'rect');
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  to.append(element);
}

export type Named = { name: string; slot: Paint };

export function pictureOf(
  drawn: SVGSVGElement,
  { title, names = [] }: { title: string; names?: readonly Named[] },
): SVGSVGElement {
  const { width, height } = drawn.getBoundingClientRect();
  const headHeight = names.length > 0 ? HEAD_PX : TITLE_PX;
  const size = { width: width + 2 * SIDE_PX, height: height + headHeight + BELOW_PX };
  const picture = document.createElementNS(SVG, 'svg');
  picture.setAttribute('xmlns', SVG);
  picture.setAttribute('width', String(size.width));
  picture.setAttribute('height', String(size.height));
  addRect(picture, { ...size, fill: token('--surface') });
  const face = getComputedStyle(document.documentElement).fontFamily;
  const head = { x: String(SIDE_PX), 'font-family': face, fill: token('--ink') };
  addText(picture, title, { ...head, y: '28', 'font-size': '14', 'font-weight': '600' });
  const small = { ...head, 'font-size': '12', y: '47' };
  let x = SIDE_PX;
  for (const { name, slot } of names) {
    const color = token(
      slot === 'other' ? '--ghost' : `--${typeof slot === 'number' ? 's' : ''}${slot}`,
    );
    addRect(picture, { x, y: 38, width: 10, height: 10, rx: 3, fill: color });
    addText(picture, name, { ...small, x: String(x + 16), fill: token('--ink-2') });
    x += 16 + textWidth(name, 400, 12) + NAME_GAP_PX;
  }
  const copy = plainCopy(drawn);
  copy.setAttribute('x', String(SIDE_PX));
  copy.setAttribute('y', String(headHeight));
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  picture.append(copy);
  return picture;
}

export async function savePng(
  drawn: SVGSVGElement,
  options: { title: string; names?: readonly Named[]; fileName: string },
): Promise<void> {
  const picture = pictureOf(drawn, options);
  const image = new Image();
  const source = new XMLSerializer().serializeToString(picture);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width * SCALE;
  canvas.height = image.height * SCALE;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => blob && download(`${options.fileName}.png`, blob));
}
