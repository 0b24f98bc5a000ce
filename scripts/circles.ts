import { literalCycles } from '../test/support/import-rules.ts';
import { readSources } from '../test/support/sources.ts';

/** Circles of directories outside the console, by imports of values, the largest first. */
export const circlesOutsideConsole = (): string[][] =>
  literalCycles(
    readSources('{src,workflows,activities}/**/*.{ts,tsx}').filter(
      ({ path }) => !path.startsWith('src/console/'),
    ),
  ).toSorted((one, other) => other.length - one.length);

if (import.meta.main) {
  for (const circle of circlesOutsideConsole()) console.log(circle.join(' '));
}
