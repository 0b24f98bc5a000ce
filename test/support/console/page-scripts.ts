import { consoleBundle } from '../../../src/http/console-bundle.ts';

const bundle = await consoleBundle();

const sentBytes = (name: string): number =>
  bundle.assets.get(name.replace('/console/', ''))?.encoded?.br.byteLength ?? Number.NaN;

/** Compressed bytes of the scripts that the page at a path begins with. */
export const firstBytes = (path: string): number =>
  bundle.scriptsAt(path).reduce((sum, name) => sum + sentBytes(name), 0);

/** Compressed bytes of every script of the console. */
export const allBytes = (): number =>
  [...bundle.assets.values()]
    .filter(({ type }) => type.startsWith('text/javascript'))
    .reduce((sum, { name }) => sum + sentBytes(name), 0);

/** The text of the scripts that the page at a path begins with. */
export const firstText = (path: string): string =>
  bundle
    .scriptsAt(path)
    .map((name) =>
      new TextDecoder().decode(bundle.assets.get(name.replace('/console/', ''))?.plain),
    )
    .join('\n');
