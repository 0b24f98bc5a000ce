import { errorMessage } from '../../shared/errors.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../../shared/time.ts';
import { withTimeout } from '../../shared/timeout.ts';

export type S3Role =
  | { kind: 'instance-role' }
  | {
      kind: 'container-role';
      relativeUri: string | undefined;
      fullUri: string | undefined;
      token: string | undefined;
      tokenFile: string | undefined;
    }
  | {
      kind: 'web-identity';
      tokenFile: string;
      roleArn: string;
      sessionName: string;
      region: string;
      endpoint: string | undefined;
    };

export type S3Credentials = {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
  /** Absent: no expiry. */
  expiration?: Date | undefined;
};

export type CredentialSource = () => Promise<S3Credentials>;

const ASK_LIMIT_MS = 10 * SECOND_MS;
/** Background refresh from then on. */
const REFRESH_BEFORE_MS = 5 * MINUTE_MS;
/** Blocking refresh from then on: a large upload may outlast the rest. */
const WAIT_BEFORE_MS = MINUTE_MS;
const RETRY_AFTER_MS = 10 * SECOND_MS;

export function roleSource(role: S3Role): CredentialSource {
  return async () => {
    if (role.kind === 'instance-role') {
      const { fromInstanceMetadata } = await import('@smithy/credential-provider-imds');
      return fromInstanceMetadata({
        timeout: 2 * SECOND_MS,
        maxRetries: 2,
        ec2MetadataV1Disabled: true,
      })();
    }
    if (role.kind === 'container-role') {
      const { fromHttp } = await import('@aws-sdk/credential-provider-http');
      const { relativeUri, fullUri, token, tokenFile } = role;
      return fromHttp({
        maxRetries: 2,
        // Between attempts.
        timeout: SECOND_MS / 5,
        ...(relativeUri && { awsContainerCredentialsRelativeUri: relativeUri }),
        ...(fullUri && { awsContainerCredentialsFullUri: fullUri }),
        ...(token && { awsContainerAuthorizationToken: token }),
        ...(tokenFile && { awsContainerAuthorizationTokenFile: tokenFile }),
      })();
    }
    const { fromTokenFile } = await import('@aws-sdk/credential-provider-web-identity');
    const { tokenFile, roleArn, sessionName, region, endpoint } = role;
    return fromTokenFile({
      webIdentityTokenFile: tokenFile,
      roleArn,
      roleSessionName: sessionName,
      clientConfig: { region, maxAttempts: 3, ...(endpoint && { endpoint }) },
    })();
  };
}

/** On failure the old ones serve to their end. */
export function refreshing(source: CredentialSource, clock: Clock): CredentialSource {
  let current: S3Credentials | null = null;
  let asking: Promise<S3Credentials> | null = null;
  let failedAtMs = Number.NEGATIVE_INFINITY;

  const leftMs = (credentials: S3Credentials) =>
    (credentials.expiration?.getTime() ?? Infinity) - clock().getTime();
  const ask = async () => {
    try {
      const credentials = await withTimeout(source(), ASK_LIMIT_MS);
      if (leftMs(credentials) <= 0) throw new Error('The credentials have already expired.');
      current = credentials;
      return credentials;
    } catch (cause) {
      failedAtMs = clock().getTime();
      const why = errorMessage(cause);
      throw new Error(`No credentials for the bucket: ${why}`, { cause });
    }
  };
  const askOnce = () => {
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  };

  return async () => {
    if (current === null) return askOnce();
    const left = leftMs(current);
    const mayAsk = clock().getTime() - failedAtMs >= RETRY_AFTER_MS;
    if (left > REFRESH_BEFORE_MS || (left > 0 && !mayAsk)) return current;
    if (left > WAIT_BEFORE_MS) {
      askOnce().catch(() => undefined);
      return current;
    }
    const old = current;
    return askOnce().catch((thrown: unknown) => {
      if (leftMs(old) > 0) return old;
      throw thrown;
    });
  };
}
