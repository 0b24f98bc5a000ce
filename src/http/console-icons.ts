import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import type { BunPlugin } from 'bun';
import { parser } from '../shared/schema.ts';

const ICON = join(import.meta.dir, '../console/parts/icon.ts');

const Icon = Type.Object(
  {
    __iconData: Type.Object(
      {
        node: Type.Array(
          Type.Tuple([
            Type.String(),
            Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
          ]),
        ),
      },
      { additionalProperties: true },
    ),
  },
  { additionalProperties: true },
);
const icon = parser(Icon, 'icon');

/** The library's component and its keys are half of each. */
export const iconsAsShapes: BunPlugin = {
  name: 'icons as shapes',
  setup(build) {
    const filter = /lucide-preact[\\/]dist[\\/]esm[\\/]icons[\\/](?!index\.)[\w-]+\.mjs$/;
    build.onLoad({ filter }, async ({ path }) => {
      const { node } = icon.parse(await import(path)).__iconData;
      const shapes = JSON.stringify(
        node.map(([tag, { key: _, ...attributes }]) => [tag, attributes]),
      );
      const contents = `import { iconOf } from ${JSON.stringify(ICON)};
export default /* @__PURE__ */ iconOf(${shapes});`;
      return { contents, loader: 'js' };
    });
  },
};
