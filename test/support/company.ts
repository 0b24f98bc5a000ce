import type { Browser } from './oidc-issuer.ts';
import type { TestService } from './service.ts';

export const CLIENT_SECRET = 'a client secret for tests only';

/** What a browser does at the company sign-in of the service at `url`. */
export function companyDoors(service: TestService, url: string) {
  const isConsole = (at: string) => at.startsWith(url) && !at.startsWith(`${url}/v1/`);
  const ended = async (browser: Browser, from: string) =>
    new URL(await browser.go(from, isConsole)).hash;
  const headersOf = (browser: Browser) => ({ cookie: browser.cookieHeader(url) });
  return {
    clientOf: (orgId: string) => ({
      client_id: orgId.toLowerCase(),
      client_secret: CLIENT_SECRET,
      redirect_uris: [`${url}/v1/auth/oidc/callback/${orgId}`],
      grant_types: ['authorization_code', 'refresh_token'],
      backchannel_logout_uri: `${url}/v1/auth/oidc/backchannel-logout/${orgId}`,
      backchannel_logout_session_required: true,
    }),
    headersOf,
    /** What stands behind the `#` at the end of the way. */
    walk: (browser: Browser, slug: string) =>
      ended(browser, `${url}/v1/auth/oidc/start?organization=${slug}`),
    /** By the link of a page, as browsers say where it lies. */
    follow: async (browser: Browser, slug: string, from: 'cross-site' | 'same-origin') => {
      const { headers } = await browser.step(`${url}/v1/auth/oidc/start?organization=${slug}`, {
        headers: { 'sec-fetch-site': from },
      });
      return ended(browser, headers.get('location') ?? '');
    },
    /** By the session that the browser has; a status where it does not begin. */
    join: async (browser: Browser, slug: string): Promise<string | number> => {
      const answer = await browser.step(`${url}/v1/auth/oidc/join`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: url },
        body: JSON.stringify({ organization: slug }),
      });
      if (answer.status !== 200) return answer.status;
      const { location }: { location: string } = JSON.parse(await answer.text());
      return ended(browser, location);
    },
    /** Puts the session of `cookie` into the browser. */
    hold: (browser: Browser, { cookie }: { cookie: string }) => {
      for (const pair of cookie.split('; ')) {
        const [name = '', value = ''] = pair.split(/=(.*)/);
        browser.cookiesFor(url).set(name, value);
      }
      return browser;
    },
    session: async (browser: Browser) =>
      (await service.call('/v1/auth/get-session', { headers: headersOf(browser) })).body,
  };
}
