import {
  type Simulator,
  type SimulatorAnswer,
  type SimulatorRequest,
  startSimulator,
} from '../kit/server.ts';
import { analytics, listHistory, listSchedule } from './posts.ts';
import {
  connectPage,
  createProfile,
  deleteProfile,
  generateConnectPage,
  readProfile,
} from './profiles.ts';
import { countRequest, createState, type SimState } from './state.ts';

export type PublisherSimulator = Simulator & {
  /** What `PUBLISHER_API_URL` is set to. */
  apiUrl: string;
  state: SimState;
};

/**
 * The upload-post API as documented, strict on what it is sent, with its odd shapes on request.
 * Rate-limit headers carry the unix time of the reset.
 */
export async function startPublisherSimulator(
  options: { key?: string; now?: () => Date } = {},
): Promise<PublisherSimulator> {
  const state = createState(options.key ?? 'sim-key', options.now ?? (() => new Date()));
  let origin = '';
  const simulator = await startSimulator((request, violate) => {
    if (request.path === '/connect') return connectPage(state, request);
    const refused = authenticate(state, request);
    if (refused) return refused;
    const { allowed, headers } = countRequest(state);
    const answer = allowed
      ? route(state, request, violate, origin)
      : { status: 429, text: 'Too many requests' };
    return { ...answer, headers: { ...headers, ...answer.headers } };
  });
  origin = simulator.url;
  return { ...simulator, apiUrl: `${simulator.url}/api`, state };
}

function authenticate(state: SimState, request: SimulatorRequest): SimulatorAnswer | null {
  const header = request.headers.authorization;
  if (header === undefined) {
    return { status: 401, json: { success: false, message: 'Authorization header required' } };
  }
  const [scheme, key] = header.split(' ');
  if (scheme?.toLowerCase() === 'apikey' && key === state.key) return null;
  return { status: 401, json: { success: false, message: 'Invalid or expired token' } };
}

function route(
  state: SimState,
  request: SimulatorRequest,
  violate: (what: string) => SimulatorAnswer,
  origin: string,
): SimulatorAnswer {
  const name = decodeURIComponent(request.path.split('/').at(-1) ?? '');
  const key = `${request.method} ${request.path}`;
  if (key === 'POST /api/uploadposts/users') return createProfile(state, request, violate);
  if (key === 'DELETE /api/uploadposts/users') return deleteProfile(state, request, violate);
  if (key === 'POST /api/uploadposts/users/generate-jwt') {
    return generateConnectPage(state, request, violate, origin);
  }
  if (key === 'GET /api/uploadposts/schedule') return listSchedule(state, request, violate);
  if (key === 'GET /api/uploadposts/history') return listHistory(state, request, violate);
  if (key.startsWith('GET /api/uploadposts/users/')) return readProfile(state, name);
  if (key.startsWith('GET /api/analytics/')) return analytics(state, request, name);
  violate('no such route');
  return { status: 404, text: '<html><body>Not Found</body></html>' };
}
