import { afterAll } from 'bun:test';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export type Words = Record<string, unknown>;

type Grant = { says: Words; nonce: string | null; clientId: string };

/**
 * An issuer that says whatever it is told, about anybody: `says` are the claims of its next sign-in,
 * `onRefresh` what it answers to a refresh token that was given with those claims.
 */
export async function startLyingIssuer() {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'lies', alg: 'RS256', use: 'sig' };
  const state = {
    says: { sub: 'nobody' } as Words,
    onRefresh: (says: Words): Words | 'invalid_grant' | 'away' => says,
    asked: [] as string[],
  };
  const codes = new Map<string, Grant>();
  const tokens = new Map<string, Grant>();

  async function grant({ says, nonce, clientId }: Grant, issuer: string) {
    const now = Math.floor(Date.now() / 1_000);
    const told = { iss: issuer, aud: clientId, iat: now, exp: now + 600, ...says };
    const token = crypto.randomUUID();
    tokens.set(token, { says, nonce: null, clientId });
    return Response.json({
      access_token: token,
      refresh_token: token,
      token_type: 'Bearer',
      id_token: await new SignJWT({ ...told, ...(nonce !== null && { nonce }) })
        .setProtectedHeader({ alg: 'RS256', kid: 'lies' })
        .sign(privateKey),
    });
  }

  async function answerToken(request: Request, issuer: string): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const asked = codes.get(form.get('code') ?? '') ?? tokens.get(form.get('refresh_token') ?? '');
    const refused = Response.json({ error: 'invalid_grant' }, { status: 400 });
    if (!asked) return refused;
    if (form.get('grant_type') !== 'refresh_token') return grant(asked, issuer);
    const says = state.onRefresh(asked.says);
    if (says === 'away') return new Response('away', { status: 503 });
    return says === 'invalid_grant' ? refused : grant({ ...asked, says }, issuer);
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    fetch: async (request, { url: { origin: issuer } }) => {
      const url = new URL(request.url);
      state.asked.push(url.pathname);
      if (url.pathname === '/keys') return Response.json({ keys: [jwk] });
      if (url.pathname === '/token') return answerToken(request, issuer);
      if (url.pathname === '/start') {
        const {
          redirect_uri = '',
          state: sent = '',
          nonce = null,
          client_id: clientId = '',
        } = Object.fromEntries(url.searchParams);
        const code = crypto.randomUUID();
        codes.set(code, { says: state.says, nonce, clientId });
        const back = new URLSearchParams({ code, state: sent, iss: issuer });
        return Response.redirect(`${redirect_uri}?${back}`, 303);
      }
      return Response.json({
        issuer,
        authorization_endpoint: `${issuer}/start`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
        scopes_supported: ['openid', 'offline_access', 'email', 'profile', 'groups'],
      });
    },
  });
  afterAll(() => server.stop(true));
  return { issuer: server.url.origin, port: server.port, state };
}
