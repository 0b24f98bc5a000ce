import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { access } from '../../../http/route.ts';
import { posthogMessages, posthogReader } from './posthog.ts';
import { posthogV1Routes } from './posthog-v1.routes.ts';
import { POSTHOG, takenBy } from './protocols.ts';
import { takeMessages, tell } from './take.ts';

const Sent = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Array(Type.Unknown())]);

const OPTIONS = takenBy(POSTHOG);

const DONE = { status: 1 };
const PATHS = ['/batch', '/capture', '/e', '/i/v0/e', '/i/v0/ai/batch', '/track', '/engage'];

/** Nothing for the page to load or to record. */
const CONFIG = {
  supportedCompression: ['gzip', 'gzip-js'],
  hasFeatureFlags: true,
  analytics: { endpoint: '/i/v0/e/' },
  autocapture_opt_out: true,
  autocaptureExceptions: false,
  captureDeadClicks: false,
  capturePerformance: false,
  defaultIdentifiedOnly: true,
  elementsChainAsString: true,
  heatmaps: false,
  productTours: false,
  sessionRecording: false,
  siteApps: [],
  surveys: false,
  toolbarParams: {},
};

const scriptOf = (token: string): string => {
  const name = JSON.stringify(token);
  const config = JSON.stringify({ config: CONFIG, siteApps: [] });
  return `(function(){var c=window._POSTHOG_REMOTE_CONFIG=window._POSTHOG_REMOTE_CONFIG||{};c[${name}]=${config}})();`;
};

function captureRoutes() {
  const routes = new Elysia().use(access);
  for (const path of PATHS) {
    routes.post(
      path,
      async ({ ctx, body, set }) => {
        const read = posthogReader(ctx.deps.clock().getTime());
        const { first, list } = tell(set, await takeMessages(ctx, posthogMessages(body), read));
        return first === undefined ? { ...DONE, ...list } : { status: 0, error: first, ...list };
      },
      { ...OPTIONS, body: Sent },
    );
  }
  return routes;
}

const FOR_PAGES = { protocol: { forPages: true } } as const;
const Token = Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) });

const configRoutes = () =>
  new Elysia()
    .use(access)
    .get('/array/:token/config', () => CONFIG, { open: FOR_PAGES, params: Token })
    .get(
      '/array/:token/config.js',
      ({ params }) =>
        new Response(scriptOf(params.token), {
          headers: { 'content-type': 'text/javascript; charset=utf-8' },
        }),
      { open: FOR_PAGES, params: Token },
    );

/** Recordings of screens are answered and dropped. */
const replayRoutes = () =>
  new Elysia().use(access).post(
    '/s',
    ({ ctx }) => {
      ctx.deps.metrics.countLeftOut('replay');
      return DONE;
    },
    { ...OPTIONS, body: Sent },
  );

export const posthogIntakeRoutes = new Elysia({ prefix: '/v1/posthog' })
  .use(captureRoutes())
  .use(posthogV1Routes())
  .use(configRoutes())
  .use(replayRoutes());
