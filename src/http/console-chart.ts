import type { BunPlugin } from 'bun';
import { must } from '../shared/assert.ts';

/** What the console never draws: a condition on it is settled when the bundle is built. */
const SETTLED: readonly (readonly [RegExp, string])[] = [
  // Points of two figures, instead of series over one axis.
  [/\bmode == 1\b/g, 'true'],
  [/\bmode == 2\b/g, 'false'],
  // Scales that are not linear.
  [/\b[\w.]*distr == 1\b/gi, 'true'],
  [/\b[\w.]*distr (?:== (?:2|3|4|100)|>= 3)(?= |\))/gi, 'false'],
  // Instants in the browser's zone: the console's axis counts calendar days and names them itself.
  [/\bFEAT_TIME {10}= true/g, 'FEAT_TIME = false'],
  [/let isTime = .*;/g, ''],
  [/\bisTime\b/g, 'false'],
  [/\bscaleX\.time\b/g, 'false'],
  [/const (?:\[ timeIncrs|_timeAxis|_timeSeriesVal|_tzDate|_fmtDate).*;/g, ''],
  // Areas between two lines.
  [/flags != 0 && bands\.forEach/g, 'false && bands.forEach'],
  // What a page with a script element would reach for: other paths, joins, dates, linked charts.
  [/uPlot\.assign = assign;[\s\S]+(?=export \{)/g, 'uPlot.pxRatio = pxRatio;\n'],
];

/**
 * uPlot without what no chart of the console uses, so that the bundler leaves it out: a quarter of
 * what a browser would load of it. A release of uPlot that reads otherwise ends the build.
 */
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
