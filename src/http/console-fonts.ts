import { basename } from 'node:path';
import type { BunPlugin } from 'bun';

export type Font = { name: string; content: Blob };

/** Bun.build writes fonts into the stylesheet, where every page waits for them. */
export const fontsBeside = (found: (font: Font) => void): BunPlugin => ({
  name: 'fonts beside the stylesheet',
  setup(build) {
    build.onResolve({ filter: /\.woff2$/ }, async ({ path }) => {
      const content = Bun.file(Bun.resolveSync(path, import.meta.dir));
      const hash = Bun.hash(await content.arrayBuffer()).toString(36);
      const name = `${basename(path, '.woff2')}-${hash}.woff2`;
      found({ name, content });
      return { path: `/console/${name}`, external: true };
    });
  },
});
