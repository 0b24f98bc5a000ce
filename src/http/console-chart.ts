import type { BunPlugin } from 'bun';
import { must } from '../shared/assert.ts';

/** Constant conditions of unused chart features, for dead-code elimination. */
const SETTLED: readonly (readonly [RegExp, string])[] = [
  // Scatter instead of line series.
  [/\bmode == 1\b/g, 'true'],
  [/\bmode == 2\b/g, 'false'],
  // Non-linear scales.
  [/\b[\w.]*distr == 1\b/gi, 'true'],
  [/\b[\w.]*distr (?:== (?:2|3|4|100)|>= 3)(?= |\))/gi, 'false'],
  // Browser-zone instants: the console's axis counts and names calendar days.
  [/\bFEAT_TIME {10}= true/g, 'FEAT_TIME = false'],
  [/let isTime = .*;/g, ''],
  [/\bisTime\b/g, 'false'],
  [/\bscaleX\.time\b/g, 'false'],
  [/const (?:\[ timeIncrs|_timeAxis|_timeSeriesVal|_tzDate|_fmtDate).*;/g, ''],
  // Areas between two lines.
  [/flags != 0 && bands\.forEach/g, 'false && bands.forEach'],
  // Globals for script elements: other paths, joins, dates, linked charts.
  [/uPlot\.assign = assign;[\s\S]+(?=export \{)/g, 'uPlot.pxRatio = pxRatio;\n'],
];

/** Saves a quarter of uPlot. An unexpected source fails the build. */
export const onlyLinesOverDays: BunPlugin = {
  name: 'only lines over days',
  setup(build) {
    build.onLoad({ filter: /uplot[\\/]dist[\\/]uPlot\.esm\.js$/ }, async ({ path }) => {
      let contents = await Bun.file(path).text();
      for (const [condition, settled] of SETTLED) {
        const next = contents.replace(condition, settled);
        contents = must(next === contents ? null : next, `uPlot has no more ${condition.source}`);
      }
      return { contents, loader: 'js' };
    });
  },
};
