import type { ProviderGate } from '../../src/shared/provider-gate.ts';

/** Lets every request through. */
export const openGate: ProviderGate = {
  take: async () => null,
  note: async () => {},
};
