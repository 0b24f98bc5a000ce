import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../sources.ts';

export const SCHEMES = ['light', 'dark'] as const;
type Scheme = (typeof SCHEMES)[number];

const text = readFileSync(join(ROOT, 'src/console/styles/tokens.css'), 'utf8');
const [light = '', dark = ''] = text.split('@media (prefers-color-scheme: dark)');
const [darkOnly = ''] = dark.split('@media');

/** A colour as a browser computes it. */
function computed(hex: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return `rgb(${red}, ${green}, ${blue})`;
}

const coloursIn = (part: string): Record<string, string> =>
  Object.fromEntries(
    [...part.matchAll(/(--[\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', hex = '']) => [
      name,
      computed(hex),
    ]),
  );

/** The colours of `tokens.css`, by their names. */
const COLOURS: Record<Scheme, Record<string, string>> = {
  light: coloursIn(light),
  dark: { ...coloursIn(light), ...coloursIn(darkOnly) },
};

export type Part = {
  name: string;
  selector: string;
  pseudo?: '::after';
  /** What is computed of it: colours by the names of their tokens. */
  style: Record<string, string>;
};

/** What a part is to look like in a scheme. */
export const styleOf = ({ style }: Part, scheme: Scheme): Record<string, string> =>
  Object.fromEntries(
    Object.entries(style).map(([name, value]) => [
      name,
      value.startsWith('--') ? (COLOURS[scheme][value] ?? `no token ${value}`) : value,
    ]),
  );

const text12 = { 'font-size': '12px', 'line-height': '16px' };
const control = {
  'background-color': '--surface',
  'border-top-color': '--line-strong',
  'border-top-width': '1px',
};

export const PARTS_OF_HOME: readonly Part[] = [
  {
    name: 'the primary button',
    selector: '.head button.primary',
    style: {
      'background-color': '--accent',
      color: '--on-accent',
      'min-height': '32px',
      'border-top-left-radius': '6px',
      'font-weight': '500',
    },
  },
  {
    name: 'the head of a table',
    selector: '.table th:not([aria-sort])',
    style: { color: '--ink-3', ...text12, 'font-weight': '500' },
  },
  {
    name: 'the head that a table is sorted by',
    selector: '.table th[aria-sort]',
    style: { color: '--ink', 'border-bottom-color': '--line' },
  },
];

export const PARTS_OF_TODAY: readonly Part[] = [
  {
    name: 'the page',
    selector: 'html',
    style: { 'background-color': '--canvas', color: '--ink', 'font-size': '13px' },
  },
  {
    name: 'the sidebar',
    selector: '.sidebar',
    style: { 'border-right-color': '--line', width: '240px' },
  },
  {
    name: 'the search',
    selector: '.search-button',
    style: { ...control, color: '--ink-3', 'border-top-left-radius': '6px' },
  },
  {
    name: 'the switch of apps',
    selector: '.app-switch',
    style: { ...control, 'border-top-left-radius': '8px', 'font-weight': '600' },
  },
  {
    name: 'an entry of the sidebar',
    selector: '.sidebar nav a.nav-link:not([aria-current])',
    style: { color: '--ink-2', 'min-height': '30px', 'font-weight': '500' },
  },
  {
    name: 'the entry of this page',
    selector: '.nav-link[aria-current]',
    style: { 'background-color': '--surface', color: '--ink', 'font-weight': '600' },
  },
  {
    name: 'its icon',
    selector: '.nav-link[aria-current] > .lucide',
    style: { color: '--accent', width: '16px', 'stroke-width': '1.75px' },
  },
  {
    name: 'the head',
    selector: '.head',
    style: { 'min-height': '56px', 'border-bottom-color': '--line', 'padding-left': '28px' },
  },
  {
    name: 'the title of the page',
    selector: 'h1',
    style: { 'font-size': '16px', 'line-height': '24px', 'font-weight': '600' },
  },
  {
    name: 'the question of the page',
    selector: '.head-question',
    style: { color: '--ink-3', ...text12 },
  },
  {
    name: 'the range',
    selector: '.range-button',
    style: { ...control, color: '--ink', 'min-height': '32px', 'border-top-left-radius': '6px' },
  },
  {
    name: 'the sentence',
    selector: '.say',
    style: { color: '--ink', 'font-size': '20px', 'line-height': '28px', 'font-weight': '500' },
  },
  {
    name: 'a card',
    selector: 'main .card',
    style: {
      'background-color': '--surface',
      'border-top-color': '--line',
      'border-top-left-radius': '10px',
      'box-shadow': 'none',
    },
  },
  {
    name: 'the title of a card',
    selector: '.card-head h2',
    style: { 'font-size': '14px', 'line-height': '20px', 'font-weight': '600' },
  },
  {
    name: 'a link',
    selector: '.card-actions a',
    style: { color: '--accent', 'font-weight': '600', 'text-decoration-line': 'none' },
  },
  {
    name: 'the label of a figure',
    selector: '.kpi-label',
    style: { color: '--ink-2', ...text12, 'font-weight': '500' },
  },
  {
    name: 'a figure',
    selector: '.kpi-figure',
    style: { 'font-size': '28px', 'line-height': '32px', 'font-weight': '600' },
  },
  {
    name: 'the mark of the figure that is drawn',
    selector: '.kpi.on',
    pseudo: '::after',
    style: { 'background-color': '--accent', height: '2px' },
  },
  {
    name: 'evidence',
    selector: '.looks p',
    style: { color: '--ink-2', 'font-size': '12px', 'line-height': '18px' },
  },
  {
    name: 'a hairline of a chart',
    selector: '.plot .hairline',
    style: { stroke: '--line' },
  },
  {
    name: 'the numbers of an axis',
    selector: '.plot text:not(.name, .mark text)',
    style: { fill: '--ink-3', 'font-size': '11px' },
  },
  {
    name: 'the line of people',
    selector: ':is(.plot .paint-1 .line, .plot .line.paint-1)',
    style: { stroke: '--s1' },
  },
  {
    name: 'the light of events that arrive',
    selector: '.foot .dot',
    style: { 'background-color': '--good', width: '8px' },
  },
  {
    name: 'the foot line',
    selector: '.foot',
    style: { color: '--ink-3', ...text12 },
  },
];
