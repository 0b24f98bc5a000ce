/** Taken whole, a chunk has the rest as well. */
export { autoUpdate, computePosition, flip, offset, shift, size } from '@floating-ui/dom';
