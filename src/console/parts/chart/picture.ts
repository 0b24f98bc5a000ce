import { download } from '../download.ts';

const SCALE = 2;
const SIDE_PX = 20;
const HEAD_PX = 60;
const BELOW_PX = 16;
const SVG = 'http://www.w3.org/2000/svg';
/** What the stylesheet says of an element of a picture, which has none. */
const STYLED = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap'],
  ...['stroke-linejoin', 'opacity', 'font-family', 'font-size', 'font-weight', 'paint-order'],
];
/** Left out of pictures. */
const PASSING = '.crosshair, .dragged, title';

const token = (name: string) =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** A copy that looks the same without the stylesheet. */
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

/** The chart as a picture of its own: ground, title, caption and names drawn in. */
export function pictureOf(
  drawn: SVGSVGElement,
  { title, caption, names = [] }: { title: string; caption?: string; names?: readonly string[] },
): SVGSVGElement {
  const { width, height } = drawn.getBoundingClientRect();
  const size = { width: width + 2 * SIDE_PX, height: height + HEAD_PX + BELOW_PX };
  const picture = document.createElementNS(SVG, 'svg');
  picture.setAttribute('xmlns', SVG);
  picture.setAttribute('width', String(size.width));
  picture.setAttribute('height', String(size.height));
  const ground = document.createElementNS(SVG, 'rect');
  ground.setAttribute('width', String(size.width));
  ground.setAttribute('height', String(size.height));
  ground.setAttribute('fill', token('--surface'));
  picture.append(ground);
  const face = getComputedStyle(document.documentElement).fontFamily;
  const head = { x: String(SIDE_PX), 'font-family': face, fill: token('--ink') };
  addText(picture, title, { ...head, y: '28', 'font-size': '14', 'font-weight': '600' });
  const below = [caption, ...names].filter(Boolean).join('   ');
  addText(picture, below, { ...head, y: '47', 'font-size': '12', fill: token('--ink-3') });
  const copy = plainCopy(drawn);
  copy.setAttribute('x', String(SIDE_PX));
  copy.setAttribute('y', String(HEAD_PX));
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  picture.append(copy);
  return picture;
}

/** The chart as a PNG file with the colours of now. */
export async function savePng(
  drawn: SVGSVGElement,
  options: { title: string; caption?: string; names?: readonly string[]; fileName: string },
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
