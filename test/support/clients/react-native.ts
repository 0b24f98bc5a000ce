import {
  AbortController as PolyfilledController,
  AbortSignal as PolyfilledSignal,
} from 'abort-controller';

type Globals = Pick<typeof globalThis, 'AbortController' | 'AbortSignal' | 'fetch'>;

/**
 * `fetch` as React Native has it: it hears the abort of a polyfilled signal, follows redirects
 * whatever is asked, and knows neither `keepalive` nor a signal that ends by itself.
 */
function nativeFetch(real: Globals): Globals['fetch'] {
  const ask = (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { signal, redirect: _, ...rest } = init;
    const own = new real.AbortController();
    signal?.addEventListener('abort', () => own.abort());
    return real.fetch(input, { ...rest, redirect: 'follow', signal: own.signal });
  };
  return Object.assign(ask, { preconnect: real.fetch.preconnect });
}

/** Runs work with the globals of React Native in place of Bun's. */
export async function inReactNative<T>(work: () => Promise<T>): Promise<T> {
  const { AbortController, AbortSignal, fetch } = globalThis;
  const real: Globals = { AbortController, AbortSignal, fetch };
  Object.assign(globalThis, {
    AbortController: PolyfilledController,
    AbortSignal: PolyfilledSignal,
    fetch: nativeFetch(real),
  });
  try {
    return await work();
  } finally {
    Object.assign(globalThis, real);
  }
}
