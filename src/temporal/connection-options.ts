import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from '@temporalio/client';
import type { Config } from '../config.ts';

type ClusterOptions = {
  address: string;
  tls?: NonNullable<ConnectionOptions['tls']>;
  apiKey?: string;
};

export function clusterOptions(config: Config): ClusterOptions {
  const { address, apiKey, tlsCertPath, tlsKeyPath, tlsCaPath, tlsServerName } = config.temporal;
  if (!address) throw new Error('TEMPORAL_ADDRESS is not set.');
  const certificate = tlsCertPath && tlsKeyPath;
  const usesTls = Boolean(certificate || tlsCaPath || apiKey);
  if (!usesTls) return { address };
  return {
    address,
    ...(apiKey !== undefined && { apiKey }),
    tls: {
      ...(tlsServerName !== undefined && { serverNameOverride: tlsServerName }),
      ...(tlsCaPath && { serverRootCACertificate: readFileSync(tlsCaPath) }),
      ...(tlsCertPath &&
        tlsKeyPath && {
          clientCertPair: { crt: readFileSync(tlsCertPath), key: readFileSync(tlsKeyPath) },
        }),
    },
  };
}
