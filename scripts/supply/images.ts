/** Lines that name an image with a tag: of a Dockerfile and of a compose file. */
const IMAGE = /^(FROM |\s*image: )([\w./-]+):([\w.-]+)(?:@sha256:[0-9a-f]{64})?/gm;
/** All platforms of an image together, and images of a single one. */
const ACCEPT = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');
const TIMEOUT_MS = 30_000;

const DOCKER_HUB = 'https://registry-1.docker.io';

/** `postgres` is `library/postgres` of Docker Hub; a first part with a dot is a registry. */
export function placeOf(name: string): { registry: string; repository: string } {
  const [first = '', ...rest] = name.split('/');
  if (rest.length === 0) return { registry: DOCKER_HUB, repository: `library/${name}` };
  if (first.includes('.')) return { registry: `https://${first}`, repository: rest.join('/') };
  return { registry: DOCKER_HUB, repository: name };
}

/** Registries want a token even for what is public, and say where it is to be had. */
async function tokenFor(challenge: string): Promise<string> {
  const said = new Map(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
  );
  const url = new URL(said.get('realm') ?? '');
  for (const key of ['service', 'scope']) url.searchParams.set(key, said.get(key) ?? '');
  const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const body: any = await answer.json();
  if (typeof body.token !== 'string') throw new Error(`${url.origin} gives no token.`);
  return body.token;
}

async function digestOf(registry: string, repository: string, tag: string): Promise<string> {
  const url = `${registry}/v2/${repository}/manifests/${tag}`;
  const ask = (headers: Record<string, string>) =>
    fetch(url, {
      method: 'HEAD',
      headers: { accept: ACCEPT, ...headers },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  let answer = await ask({});
  const challenge = answer.headers.get('www-authenticate');
  if (answer.status === 401 && challenge !== null) {
    answer = await ask({ authorization: `Bearer ${await tokenFor(challenge)}` });
  }
  const digest = answer.headers.get('docker-content-digest');
  if (!answer.ok || digest === null || !/^sha256:[0-9a-f]{64}$/.test(digest)) {
    throw new Error(`${url} answers ${answer.status}, and no digest.`);
  }
  return digest;
}

/** The text with the digest that each tag stands for today; the tag stays, for people. */
export async function pinImages(text: string, registry?: string): Promise<string> {
  const digests = new Map<string, string>();
  for (const [, , name = '', tag = ''] of text.matchAll(IMAGE)) {
    const place = placeOf(name);
    const digest = await digestOf(registry ?? place.registry, place.repository, tag);
    digests.set(`${name}:${tag}`, digest);
  }
  return text.replace(
    IMAGE,
    (_, before: string, name: string, tag: string) =>
      `${before}${name}:${tag}@${digests.get(`${name}:${tag}`)}`,
  );
}
