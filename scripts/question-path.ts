import { readSources, type Source } from '../test/support/sources.ts';

const ROUTE = 'src/modules/questions/funnel/routes.ts';
const DOOR = 'src/modules/questions/resolve/resolved.ts';
const MOST = 8;

function reachable(start: string, next: (path: string) => readonly string[]): Set<string> {
  const seen = new Set([start]);
  for (const path of seen) for (const target of next(path)) seen.add(target);
  return seen;
}

/** Files of chapters on a way of imports, by values, from a route to what asks the query side. */
export function filesBetween(
  sources: readonly Source[],
  route: string = ROUTE,
  door: string = DOOR,
): string[] {
  const imports = new Map(
    sources.map(({ path, imports }) => [
      path,
      imports.flatMap(({ target, typeOnly }) => (typeOnly ? [] : [target])),
    ]),
  );
  const from = reachable(route, (path) => imports.get(path) ?? []);
  const to = reachable(door, (path) =>
    [...imports].flatMap(([other, targets]) => (targets.includes(path) ? [other] : [])),
  );
  return [...from].filter((path) => to.has(path)).toSorted();
}

if (import.meta.main) {
  const found = filesBetween(readSources('src/modules/**/*.ts'));
  console.log([...found, `${found.length} files, at most ${MOST}`].join('\n'));
  process.exitCode = found.length > MOST ? 1 : 0;
}
