import { type Simulator, type SimulatorAnswer, startSimulator } from '../kit/server.ts';

export type IssuedKeys = { accessKeyId: string; secretAccessKey: string; sessionToken: string };

export type AwsSimulator = Simulator & {
  /** What the next answers hold. */
  issue: (keys: IssuedKeys, lifeMs: number) => void;
};

const ROLE = 'events-writer';
export const ROLE_ARN = 'arn:aws:iam::123456789012:role/events-writer';
export const CONTAINER_PATH = '/v2/credentials/5d5a-0c1f';
export const CONTAINER_TOKEN = 'container-token';

const METADATA = '/latest/meta-data/iam/security-credentials/';

/** The instance metadata service (v2 alone), a container's credentials endpoint, and STS, in one. */
export async function startAwsSimulator(webIdentityToken: () => string): Promise<AwsSimulator> {
  let keys: IssuedKeys = { accessKeyId: 'AKIA', secretAccessKey: 'secret', sessionToken: 'token' };
  let lifeMs = 3_600_000;
  const sessions = new Set<string>();

  const asJson = (): SimulatorAnswer => ({
    status: 200,
    json: {
      Code: 'Success',
      LastUpdated: new Date().toISOString(),
      Type: 'AWS-HMAC',
      AccessKeyId: keys.accessKeyId,
      SecretAccessKey: keys.secretAccessKey,
      Token: keys.sessionToken,
      Expiration: new Date(Date.now() + lifeMs).toISOString(),
    },
  });

  const assumeRole = (form: URLSearchParams): SimulatorAnswer => ({
    status: 200,
    headers: { 'content-type': 'text/xml' },
    text: `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <AssumeRoleWithWebIdentityResult>
    <Credentials>
      <AccessKeyId>${keys.accessKeyId}</AccessKeyId>
      <SecretAccessKey>${keys.secretAccessKey}</SecretAccessKey>
      <SessionToken>${keys.sessionToken}</SessionToken>
      <Expiration>${new Date(Date.now() + lifeMs).toISOString()}</Expiration>
    </Credentials>
    <AssumedRoleUser>
      <Arn>${ROLE_ARN}/${form.get('RoleSessionName')}</Arn>
      <AssumedRoleId>AROA:${form.get('RoleSessionName')}</AssumedRoleId>
    </AssumedRoleUser>
  </AssumeRoleWithWebIdentityResult>
  <ResponseMetadata><RequestId>r-1</RequestId></ResponseMetadata>
</AssumeRoleWithWebIdentityResponse>`,
  });

  const simulator = await startSimulator((request, violate) => {
    const { method, path, headers, body } = request;
    if (method === 'PUT' && path === '/latest/api/token') {
      if (!headers['x-aws-ec2-metadata-token-ttl-seconds']) return violate('a token needs a life');
      const session = crypto.randomUUID();
      sessions.add(session);
      return { status: 200, text: session };
    }
    if (method === 'GET' && path.startsWith(METADATA)) {
      const session = headers['x-aws-ec2-metadata-token'];
      if (typeof session !== 'string' || !sessions.has(session)) return violate('version 1 is off');
      if (path === METADATA) return { status: 200, text: ROLE };
      return path === METADATA + ROLE ? asJson() : { status: 404, text: '' };
    }
    if (method === 'GET' && path === CONTAINER_PATH) {
      return headers.authorization === CONTAINER_TOKEN ? asJson() : violate('the wrong token');
    }
    if (method === 'POST' && path === '/') {
      const form = new URLSearchParams(body);
      if (form.get('Action') !== 'AssumeRoleWithWebIdentity') return violate('another action');
      if (form.get('Version') !== '2011-06-15') return violate('another version');
      if (form.get('RoleArn') !== ROLE_ARN) return violate('another role');
      if (!form.get('RoleSessionName')) return violate('a session without a name');
      if (form.get('WebIdentityToken') !== webIdentityToken()) return violate('an old token');
      return assumeRole(form);
    }
    return violate('no such route');
  });
  return {
    ...simulator,
    issue: (issued, forMs) => {
      keys = issued;
      lifeMs = forMs;
    },
  };
}
