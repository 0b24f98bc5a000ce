/** Connections to the stores: one chunk, as those of `connections.ts`. */
export { Purchases } from './purchases/purchases.tsx';
export { Store } from './store/store.tsx';
