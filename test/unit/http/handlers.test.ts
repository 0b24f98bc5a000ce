import { expect, test } from 'bun:test';
import { Glob } from 'bun';

/** A handler with `ctx` and how its body begins. */
const HANDLER = /(async )?\(\{[^()]*\bctx\b[^()]*\}\) =>\s*(\S+)/g;

/** Elysia awaits a handler that is `async`, or whose body is one call; a promise of another one is an answer. */
test('handlers of routes are calls, or say that they are asynchronous', async () => {
  const silent: string[] = [];
  let handlers = 0;
  for await (const path of new Glob('src/**/*routes.ts').scan('.')) {
    for (const [whole, isAsync, body = ''] of (await Bun.file(path).text()).matchAll(HANDLER)) {
      handlers += 1;
      if (!isAsync && body !== '{' && !/^[\w.]+[(,]/.test(body)) silent.push(`${path}: ${whole}`);
    }
  }
  expect(silent).toEqual([]);
  expect(handlers).toBeGreaterThan(200);
});
