import type { Config } from './config.ts';
import { createChainWatch } from './modules/purchases/chain-watch.ts';
import { createProfiles, type Profiles } from './modules/purchases/profiles.ts';
import { createRefresher, type Refresher } from './modules/purchases/refresher.ts';
import type { Logger } from './observability/log.ts';
import { createStoreServer } from './providers/store-server/client.ts';
import type { SignatureVerifier, StoreServer } from './providers/store-server/port.ts';
import {
  askRevocation,
  type ChainToAsk,
  type Revocation,
} from './providers/store-server/revocation.ts';
import { loadRootCertificates } from './providers/store-server/roots.ts';
import { createSignatureVerifier } from './providers/store-server/verifier.ts';
import type { Clock } from './shared/time.ts';
import type { Sql } from './storage/postgres.ts';

export type PurchaseDeps = {
  signatures: SignatureVerifier;
  storeServer: StoreServer;
  purchaseProfiles: Profiles;
  purchaseRefresher: Refresher;
  /** Asks the responders of the authorities about a chain that leads to a pinned root. */
  askRevocation: (chain: ChainToAsk, now: Date) => Promise<Revocation>;
};

type Base = { config: Config; sql: Sql; clock: Clock; log: Logger };

/** Throws when a pinned root cannot be read: without one no purchase could be trusted. */
export function createPurchaseDeps({ config, sql, clock, log }: Base): PurchaseDeps {
  const roots = loadRootCertificates(config.storeRootCertificates);
  const signatures = createSignatureVerifier({
    roots,
    ...createChainWatch(sql, clock, log),
  });
  return {
    signatures,
    storeServer: createStoreServer({
      baseUrls: {
        Production: config.storeServerApiUrl,
        Sandbox: config.storeServerSandboxApiUrl,
      },
      verifier: signatures,
      clock,
    }),
    purchaseProfiles: createProfiles(sql),
    purchaseRefresher: createRefresher(),
    askRevocation: (chain, now) => askRevocation(chain, roots, now),
  };
}
