import { afterAll } from 'bun:test';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { decodeJwt, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import Provider, { type ClientMetadata } from 'oidc-provider';

type IssuerPerson = {
  email: string;
  email_verified?: unknown;
  name?: string;
  groups?: string[];
  isGone?: boolean;
};

export type Claims = Record<string, unknown>;

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), alg: 'RS256', use: 'sig' };
}

/**
 * The certified provider as it is published, behind a port of its own. `people` are its accounts by
 * subject, `signsIn` is who answers its questions, `tamper` changes ID tokens that it gave.
 */
export async function startIssuer(name = 'one', { isThin = false } = {}) {
  const state = {
    people: new Map<string, IssuerPerson>(),
    signsIn: 'ada',
    tamper: null as ((claims: Claims) => Claims) | null,
    signAs: null as JWK | null,
    isAway: false,
    givesRefreshTokens: true,
    asked: [] as string[],
  };
  let key = await newKey();
  let inner: { server: Server; port: number } | null = null;
  let clients: ClientMetadata[] = [];

  async function resigned(idToken: string): Promise<string> {
    const claims = decodeJwt(idToken);
    const signing = state.signAs ?? key;
    const header = { alg: 'RS256', kid: key.kid ?? '' };
    const changed = state.tamper?.(claims) ?? claims;
    return new SignJWT(changed).setProtectedHeader(header).sign(await importJWK(signing, 'RS256'));
  }

  const outer = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    fetch: async (request) => {
      const url = new URL(request.url);
      state.asked.push(url.pathname);
      if (state.isAway || !inner) return new Response('away', { status: 503 });
      const answer = await fetch(`http://127.0.0.1:${inner.port}${url.pathname}${url.search}`, {
        method: request.method,
        headers: { ...Object.fromEntries(request.headers), host: url.host },
        ...(request.method === 'POST' && { body: await request.text() }),
        redirect: 'manual',
      });
      if (url.pathname !== '/token' || answer.status !== 200) return answer;
      const body = (await answer.json()) as Claims;
      if (!state.givesRefreshTokens) delete body.refresh_token;
      if ((state.tamper || state.signAs) && typeof body.id_token === 'string') {
        body.id_token = await resigned(body.id_token);
      }
      return Response.json(body, { headers: { 'cache-control': 'no-store' } });
    },
  });
  const issuer = `http://127.0.0.1:${outer.port}`;

  async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse) {
    const details = await provider.interactionDetails(request, response);
    if (details.prompt.name === 'login') {
      const login = { accountId: state.signsIn };
      await provider.interactionFinished(request, response, { login });
      return;
    }
    const accountId = details.session?.accountId ?? state.signsIn;
    const clientId = String(details.params.client_id);
    const grant = new provider.Grant({ accountId, clientId });
    grant.addOIDCScope(String(details.params.scope));
    const consent = { grantId: await grant.save() };
    await provider.interactionFinished(request, response, { consent });
  }

  async function restart(): Promise<void> {
    inner?.server.close();
    const provider = new Provider(issuer, {
      clients,
      jwks: { keys: [key] },
      cookies: { keys: ['for tests'], names: { session: `session-${name}` } },
      claims: { email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      scopes: ['openid', 'offline_access', 'email', 'profile', 'groups'],
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      conformIdTokenClaims: isThin,
      findAccount: (_, subject) => {
        const person = state.people.get(subject);
        if (!person || person.isGone) return undefined;
        const { isGone: _gone, ...claims } = person;
        return {
          accountId: subject,
          claims: () => ({ sub: subject, email_verified: true, name: subject, ...claims }),
        };
      },
    });
    const answer = provider.callback();
    const server = createServer((request, response) => {
      if (!request.url?.startsWith('/interaction/')) return void answer(request, response);
      interact(provider, request, response).catch((thrown: unknown) => {
        response.writeHead(500).end(String(thrown));
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    inner = { server, port: typeof address === 'object' && address ? address.port : 0 };
  }

  afterAll(async () => {
    inner?.server.close();
    await outer.stop(true);
  });
  return {
    issuer,
    port: outer.port,
    state,
    register: async (registered: ClientMetadata[]) => {
      clients = registered;
      await restart();
    },
    rotateKeys: async () => {
      key = await newKey();
      await restart();
    },
    newKey,
  };
}

/** A browser: one jar for each origin, and no step that nobody asked for. */
export function newBrowser() {
  const jars = new Map<string, Map<string, string>>();
  const cookiesFor = (origin: string) => {
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };
  const cookieHeader = (origin: string) =>
    [...cookiesFor(origin)].map(([name, value]) => `${name}=${value}`).join('; ');
  async function step(url: string, init: RequestInit = {}): Promise<Response> {
    const { origin } = new URL(url);
    const headers = new Headers(init.headers);
    headers.set('cookie', cookieHeader(origin));
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = [
        pair.slice(0, pair.indexOf('=')),
        pair.slice(pair.indexOf('=') + 1),
      ];
      const isSpent = /max-age=0|expires=Thu, 01 Jan 1970/i.test(line) || value === '';
      if (isSpent) cookiesFor(origin).delete(name);
      else cookiesFor(origin).set(name, value);
    }
    return answer;
  }
  /** Follows until `stop` says so; returns where it came. */
  async function go(url: string, stop: (url: string) => boolean): Promise<string> {
    let at = url;
    for (let steps = 0; steps < 20; steps += 1) {
      if (stop(at)) return at;
      const answer = await step(at);
      const location = answer.headers.get('location');
      if (location === null) throw new Error(`${at}: ${answer.status} ${await answer.text()}`);
      at = new URL(location, at).href;
    }
    throw new Error(`It leads nowhere: ${at}`);
  }
  return { step, go, cookieHeader, cookiesFor };
}

export type Browser = ReturnType<typeof newBrowser>;
