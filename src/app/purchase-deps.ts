import type { Config } from '../config.ts';
import type { Deps } from '../context.ts';
import { createChainWatch, createProfiles, createRefresher } from '../modules/purchases/index.ts';
import type { Logger } from '../observability/log.ts';
import { createStoreServer } from '../providers/store-server/client.ts';
import { askRevocation } from '../providers/store-server/revocation.ts';
import { loadRootCertificates } from '../providers/store-server/roots.ts';
import { createSignatureVerifier } from '../providers/store-server/verifier.ts';
import type { Clock } from '../shared/time.ts';
import type { Sql } from '../storage/postgres.ts';

type PurchaseDeps = Pick<
  Deps,
  'signatures' | 'storeServer' | 'purchaseProfiles' | 'purchaseRefresher' | 'askRevocation'
>;

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
