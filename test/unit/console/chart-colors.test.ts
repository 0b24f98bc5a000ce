import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STRONGEST_PERCENT } from '../../../src/console/parts/chart/heat-share.ts';

const TOKENS = join(import.meta.dir, '../../../src/console/styles/tokens.css');
const SERIES = ['--s1', '--s2', '--s3', '--s4', '--s5', '--s6'];

type Triple = readonly [number, number, number];

/** The colours of both schemes, by their tokens. */
function readSchemes(): { light: Map<string, Triple>; dark: Map<string, Triple> } {
  const css = readFileSync(TOKENS, 'utf8');
  const colorsOf = (text: string) =>
    new Map(
      [...text.matchAll(/(--[\w-]+): (#[0-9a-f]{6});/g)].map(
        ([, name = '', hex = '']): [string, Triple] => [
          name,
          [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as never,
        ],
      ),
    );
  const [light = '', dark = ''] = css.split('prefers-color-scheme: dark');
  return { light: colorsOf(light), dark: colorsOf(dark) };
}

const map = (color: Triple, change: (part: number) => number): Triple => [
  change(color[0]),
  change(color[1]),
  change(color[2]),
];
const toLinear = (color: Triple) =>
  map(color, (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
const times = (matrix: readonly Triple[], [r, g, b]: Triple): Triple => {
  const [x = 0, y = 0, z = 0] = matrix.map((row) => row[0] * r + row[1] * g + row[2] * b);
  return [x, y, z];
};

const luminance = (color: Triple): number => {
  const [r, g, b] = toLinear(color);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a: Triple, b: Triple): number => {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};

const TO_XYZ: readonly Triple[] = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
];
const WHITE: Triple = [0.95047, 1, 1.08883];

function labOf(linear: Triple): Triple {
  const xyz = times(TO_XYZ, linear);
  const [x, y, z] = [0, 1, 2].map((at) => {
    const part = (xyz[at] ?? 0) / (WHITE[at] ?? 1);
    return part > 216 / 24_389 ? Math.cbrt(part) : (24_389 / 27 / 116) * part + 16 / 116;
  }) as never as Triple;
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** Machado, Oliveira and Fernandes 2009, severity 1. */
const DEFICIENCIES: Record<string, readonly Triple[]> = {
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** ΔE 1976 of the two colours that are nearest to each other. */
function leastDistance(colors: readonly Triple[], deficiency: readonly Triple[]): number {
  const seen = colors.map((color) => {
    const linear = times(deficiency, toLinear(color));
    return labOf(map(linear, (part) => Math.max(0, Math.min(1, part))));
  });
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < seen.length; i++) {
    for (let j = 0; j < i; j++) {
      const [a = [0, 0, 0], b = [0, 0, 0]] = [seen[i], seen[j]];
      least = Math.min(least, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
    }
  }
  return least;
}

const schemes = readSchemes();

describe.each([
  ['light', schemes.light, 21],
  ['dark', schemes.dark, 17],
] as const)('the six series colours, %s,', (_, colors, least) => {
  const of = (name: string): Triple => colors.get(name) ?? [0, 0, 0];
  const series = SERIES.map(of);

  test('are told from the card by everybody', () => {
    expect(new Set(series.map(String)).size).toBe(6);
    for (const color of series) expect(contrast(color, of('--surface'))).toBeGreaterThanOrEqual(3);
  });

  test.each(Object.entries(DEFICIENCIES))('are told apart with %s', (__, deficiency) => {
    expect(leastDistance(series, deficiency)).toBeGreaterThanOrEqual(least - 0.5);
  });

  test('never tint a cell so that its ink cannot be read', () => {
    const share = STRONGEST_PERCENT / 100;
    const [tint, ground] = [of('--s1'), of('--surface')];
    const mixed = map(tint, (part) => part * share).map(
      (part, at) => part + (ground[at] ?? 0) * (1 - share),
    ) as never as Triple;
    expect(contrast(of('--ink'), mixed)).toBeGreaterThanOrEqual(4.5);
  });
});

test('two colours that one deficiency cannot tell apart are found', () => {
  const before: Triple[] = [
    [0xb8 / 255, 0x4e / 255, 0],
    [0x80 / 255, 0x66 / 255, 0],
  ];
  expect(leastDistance(before, DEFICIENCIES.protanopia ?? [])).toBeLessThan(5);
});
