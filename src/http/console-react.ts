import type { BunPlugin } from 'bun';

const PREACT: Readonly<Record<string, string>> = {
  react: 'preact/compat',
  'react-dom': 'preact/compat',
  'react-dom/client': 'preact/compat/client',
  'react/jsx-runtime': 'preact/jsx-runtime',
};

/** Components written for React run on Preact. */
export const reactIsPreact: BunPlugin = {
  name: 'react is preact',
  setup(build) {
    build.onResolve({ filter: /^react(?:-dom)?(?:\/|$)/ }, ({ path }) => {
      const preact = PREACT[path];
      return preact === undefined ? undefined : { path: Bun.resolveSync(preact, import.meta.dir) };
    });
  },
};

/** That of `cmdk` would be two thirds of it; the browser has its own. */
export const withoutRadixDialog: BunPlugin = {
  name: 'without the dialog of Radix',
  setup(build) {
    build.onLoad({ filter: /@radix-ui[\\/]react-dialog[\\/]dist[\\/]index\.mjs$/ }, () => ({
      contents: 'export const Root = null, Portal = null, Overlay = null, Content = null;',
      loader: 'js',
    }));
  },
};
