import type { ProviderRateLimit } from '../../src/shared/provider-rate-limit.ts';

/** Lets every request through. */
export const openGate: ProviderRateLimit = {
  take: async () => null,
  note: async () => {},
};
