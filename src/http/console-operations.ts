import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { type BunPlugin, Glob } from 'bun';
import { parser } from '../shared/schema.ts';

const CONSOLE = join(import.meta.dir, '../console');
const Answer = Type.Union([Type.String(), Type.Null(), Type.Object({})]);
const described = parser(
  Type.Object({
    operations: Type.Record(
      Type.String(),
      Type.Object({
        method: Type.String(),
        path: Type.String(),
        device: Type.Boolean(),
        answers: Type.Record(Type.String(), Answer),
      }),
    ),
  }),
  'description of the operations',
);

async function calledOperations(): Promise<Set<string>> {
  const called = new Set<string>();
  for await (const path of new Glob('**/*.{ts,tsx}').scan(CONSOLE)) {
    const text = await Bun.file(join(CONSOLE, path)).text();
    for (const [, name = ''] of text.matchAll(/\bapi\s*\.(\w+)\(/g)) called.add(name);
  }
  return called;
}

/** Any JSON. */
const ANY = {};

/**
 * Drops unused operations and all response schemas, a tenth of the bundle: responses come from the
 * process that served it, and contract tests verify them.
 */
export const onlyCalledOperations: BunPlugin = {
  name: 'only called operations',
  setup(build) {
    build.onLoad({ filter: /clients[\\/]api[\\/]src[\\/]operations\.json$/ }, async ({ path }) => {
      const all = described.parse(await Bun.file(path).json());
      const called = await calledOperations();
      const operations = Object.entries(all.operations)
        .filter(([name]) => called.has(name))
        .map(([name, { answers, ...operation }]) => {
          const shapes = Object.entries(answers).map(([status, answer]) => [
            status,
            typeof answer === 'object' && answer !== null ? ANY : answer,
          ]);
          return [name, { ...operation, answers: Object.fromEntries(shapes) }];
        });
      const contents = { operations: Object.fromEntries(operations), schemas: {} };
      return { contents: JSON.stringify(contents), loader: 'json' };
    });
    build.onLoad({ filter: /clients[\\/]api[\\/]src[\\/]check\.ts$/ }, () => ({
      contents: 'export const findFault = () => null;',
      loader: 'ts',
    }));
  },
};
