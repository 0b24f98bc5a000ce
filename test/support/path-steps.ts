import type { PathsAnswer } from '../../src/query/paths/model.ts';
import type { Path } from './session-reference.ts';

/** A path has an end after its last name, unless three names were there. */
const withEnd = ({ names }: Path): (string | null)[] =>
  names.length < 3 ? [...names, null] : names;

export function pathStepsOf(paths: readonly Path[], shown: number) {
  const top = [0, 1, 2].map((step) => {
    const counts = new Map<string, number>();
    for (const { names } of paths) {
      const name = names[step];
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const sorted = [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    return sorted.slice(0, shown).map(([name]) => name);
  });
  const keyOf = (path: Path, step: number): string | undefined => {
    const name = withEnd(path)[step];
    if (name === undefined) return undefined;
    return name === null ? 'end' : top[step]!.includes(name) ? `event ${name}` : 'rest';
  };
  const countsOf = (of: readonly Path[]) => ({
    sessions: of.length,
    people: new Set(of.map(({ person }) => person)).size,
  });
  return [0, 1, 2].map((step) => {
    const nodes = Map.groupBy(paths, (path) => keyOf(path, step));
    const links = Map.groupBy(paths, (path) => `${keyOf(path, step - 1)} > ${keyOf(path, step)}`);
    nodes.delete(undefined);
    return {
      order: top[step]!,
      nodes: Object.fromEntries([...nodes].map(([key, of]) => [key, countsOf(of)])),
      links: Object.fromEntries(
        [...links]
          .filter(([key]) => step > 0 && !key.includes('undefined'))
          .map(([key, of]) => [key, countsOf(of)]),
      ),
    };
  });
}

const keyIn = ({ kind, name }: PathsAnswer['steps'][number]['nodes'][number]): string =>
  kind === 'event' ? `event ${name}` : kind;

export const shownSteps = ({ steps }: PathsAnswer) =>
  steps.map(({ nodes, links }, index) => ({
    order: nodes.flatMap(({ name }) => name ?? []),
    nodes: Object.fromEntries(
      nodes.map((node) => [keyIn(node), { sessions: node.sessions, people: node.people }]),
    ),
    links: Object.fromEntries(
      links.map(({ from, to, sessions, people }) => [
        `${keyIn(steps[index - 1]!.nodes[from]!)} > ${keyIn(nodes[to]!)}`,
        { sessions, people },
      ]),
    ),
  }));
