import { dirname, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BunPlugin } from 'bun';
import { ROOT } from './find.ts';

const quoted = JSON.stringify;
const MODULES = `${ROOT}${sep}node_modules${sep}`;
/** Both load files of their own. */
const EXTERNAL = /^(@duckdb\/node-bindings|webpack)$/;
const TEMPORAL_WORKER = /node_modules[\\/]@temporalio[\\/]worker[\\/]lib[\\/].*\.js$/;
const RESOLVED = /require\.resolve\('([^']+)'\)/g;

export function withSourcePlaces(text: string, path: string): string {
  return text
    .replaceAll(/\bimport\.meta\.dir\b/g, quoted(dirname(path)))
    .replaceAll(/\bimport\.meta\.path\b/g, quoted(path))
    .replaceAll(/\bimport\.meta\.url\b/g, quoted(pathToFileURL(path).href))
    .replaceAll(/\bimport\.meta\.main\b/g, 'false');
}

const withResolvedPaths = (text: string, path: string) =>
  text.replaceAll(RESOLVED, (call: string, target: string) =>
    // In a comment.
    target === './workflows' ? call : quoted(Bun.resolveSync(target, dirname(path))),
  );

export const sourcePlaces: BunPlugin = {
  name: 'source places',
  setup(build) {
    build.onResolve({ filter: EXTERNAL }, ({ path, importer }) => ({
      path: Bun.resolveSync(path, dirname(importer)),
      external: true,
    }));
    build.onLoad({ filter: TEMPORAL_WORKER }, async ({ path }) => ({
      contents: withResolvedPaths(await Bun.file(path).text(), path),
      loader: 'js',
    }));
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (path.startsWith(MODULES)) return undefined;
      const text = await Bun.file(path).text();
      if (!text.includes('import.meta.')) return undefined;
      return { contents: withSourcePlaces(text, path), loader: 'ts' };
    });
  },
};
