import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import type { BunPlugin } from 'bun';
import { parser } from '../shared/schema.ts';

const Answer = Type.Union([Type.String(), Type.Null(), Type.Object({})]);
const described = parser(
  Type.Object({
    operations: Type.Record(
      Type.String(),
      Type.Object(
        { answers: Type.Record(Type.String(), Answer), device: Type.Boolean() },
        { additionalProperties: true },
      ),
    ),
  }),
  'description of the operations',
);

/** Any JSON. */
const ANY = {};

/** Names of operations are among them. */
async function wordsOf(folder: string): Promise<Set<string>> {
  const words = new Set<string>();
  for await (const path of new Bun.Glob('**/*.{ts,tsx}').scan(folder)) {
    const text = await Bun.file(join(folder, path)).text();
    for (const [word] of text.matchAll(/\w+/g)) words.add(word);
  }
  return words;
}

/**
 * Without schemas, which are most of the client (contract tests verify responses), and without
 * operations that no source in `folder` names.
 */
export const onlyCalled = (folder: string): BunPlugin => ({
  name: 'only called operations',
  setup(build) {
    build.onLoad({ filter: /clients[\\/]api[\\/]src[\\/]operations\.json$/ }, async ({ path }) => {
      const all = described.parse(await Bun.file(path).json()).operations;
      const words = await wordsOf(folder);
      const operations = Object.fromEntries(
        Object.entries(all)
          .filter(([name]) => words.has(name))
          // The client asks for its truth only.
          .map(([name, { device, ...rest }]) => [name, device ? { device, ...rest } : rest]),
      );
      for (const { answers } of Object.values(operations)) {
        for (const [status, answer] of Object.entries(answers)) {
          if (typeof answer === 'object' && answer !== null) answers[status] = ANY;
        }
      }
      return { contents: JSON.stringify({ operations, schemas: {} }), loader: 'json' };
    });
    build.onLoad({ filter: /clients[\\/]api[\\/]src[\\/]check\.ts$/ }, () => ({
      contents: 'export const findFault = () => null;',
      loader: 'ts',
    }));
  },
});
