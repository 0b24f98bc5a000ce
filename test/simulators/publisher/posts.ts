import type { SimulatorAnswer, SimulatorRequest } from '../kit/server.ts';
import type { SimState } from './state.ts';

type Violate = (what: string) => SimulatorAnswer;

const SCHEDULE_QUERY = new Set(['profile_username', 'from', 'to', 'limit', 'offset']);
const HISTORY_QUERY = new Set([
  'page',
  'limit',
  'profile_username',
  'platform',
  'status',
  'request_id',
  'job_id',
  'external_id',
  'start',
  'end',
]);
const HISTORY_LIMITS = new Set(['10', '20', '50', '100']);

function unknownName(request: SimulatorRequest, known: ReadonlySet<string>): string | undefined {
  return [...request.query.keys()].find((name) => !known.has(name));
}

/** All jobs that the key can see; the profile filter is the caller's to give. */
export function listSchedule(
  state: SimState,
  request: SimulatorRequest,
  violate: Violate,
): SimulatorAnswer {
  const unknown = unknownName(request, SCHEDULE_QUERY);
  if (unknown) return violate(`unknown parameter ${unknown}`);
  const wanted = state.ignoresProfileFilter ? null : request.query.get('profile_username');
  const offset = state.ignoresScheduleOffset ? 0 : Number(request.query.get('offset') ?? 0);
  const limit = Math.min(Number(request.query.get('limit') ?? 50), state.largestSchedulePage);
  const jobs = [...state.profiles.values()]
    .flatMap((profile) =>
      profile.jobs.map((job) => ({ profile_username: profile.username, ...job })),
    )
    .filter((job) => wanted === null || job.profile_username === wanted)
    .toSorted((a, b) => a.scheduled_date.localeCompare(b.scheduled_date))
    .slice(offset, offset + limit);
  return { status: 200, json: state.bareSchedule ? jobs : { scheduled_posts: jobs } };
}

export function listHistory(
  state: SimState,
  request: SimulatorRequest,
  violate: Violate,
): SimulatorAnswer {
  const unknown = unknownName(request, HISTORY_QUERY);
  if (unknown) return violate(`unknown parameter ${unknown}`);
  const limit = request.query.get('limit') ?? '10';
  if (!HISTORY_LIMITS.has(limit)) return { status: 400, json: { error: 'Invalid limit' } };
  const page = Number(request.query.get('page') ?? 1);
  if (!Number.isInteger(page) || page < 1) return { status: 400, json: { error: 'Invalid page' } };
  const wanted = state.ignoresProfileFilter ? null : request.query.get('profile_username');
  const rows = state.history
    .filter((row) => wanted === null || row.profile_username === wanted)
    .toSorted((a, b) => b.upload_timestamp.localeCompare(a.upload_timestamp));
  const size = Number(limit);
  return {
    status: 200,
    json: {
      history: rows.slice((page - 1) * size, page * size),
      total: rows.length,
      page,
      limit: size,
    },
  };
}

export function analytics(
  state: SimState,
  request: SimulatorRequest,
  username: string,
): SimulatorAnswer {
  const platforms = request.query.get('platforms');
  if (!platforms) {
    return { status: 400, json: { success: false, message: 'platforms is required' } };
  }
  const profile = state.profiles.get(username);
  if (!profile) return { status: 404, json: { success: false, message: 'Profile not found' } };
  const parts = platforms
    .split(',')
    .map((name) => [name, profile.analytics[name] ?? { error: `No data for ${name}` }]);
  return { status: 200, json: Object.fromEntries(parts) };
}
