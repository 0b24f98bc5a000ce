import {
  type Simulator,
  type SimulatorAnswer,
  type SimulatorRequest,
  startSimulator,
} from '../kit/server.ts';
import {
  addProject,
  type BackendState,
  countRequest,
  createBackendState,
  type SimProject,
} from './state.ts';

export type BackendSimulator = Simulator & { state: BackendState };
type Violate = (what: string) => SimulatorAnswer;

const CREATE_FIELDS = new Set(['name', 'organization_slug', 'db_pass', 'region_selection']);
const REGIONS = new Set(['us-east-1', 'us-west-1', 'eu-west-1', 'eu-central-1', 'sa-east-1']);
const SMART_GROUPS = new Set(['americas', 'emea', 'apac']);

/**
 * The Supabase Management API as its OpenAPI document has it (no field more than it allows). Use the
 * fault `silent_after` on `POST /v1/projects` for a creation whose answer is lost.
 */
export async function startBackendSimulator(
  options: { token?: string; organization?: string; now?: () => Date } = {},
): Promise<BackendSimulator> {
  const state = createBackendState(
    options.token ?? 'sbp_sim',
    options.organization ?? 'simulatedorganization',
    options.now ?? (() => new Date()),
  );
  const simulator = await startSimulator((request, violate) => {
    if (request.headers.authorization !== `Bearer ${state.token}`) {
      return { status: 401, json: { message: 'Unauthorized' } };
    }
    const { allowed, headers } = countRequest(state);
    const answer = allowed
      ? route(state, request, violate)
      : { status: 429, json: { message: 'ThrottlerException: Too Many Requests' } };
    return { ...answer, headers: { ...headers, ...answer.headers } };
  });
  return { ...simulator, state };
}

function route(state: BackendState, request: SimulatorRequest, violate: Violate): SimulatorAnswer {
  const [version, kind, id, sub] = request.path.split('/').slice(1);
  const key = `${request.method} ${version}/${kind}`;
  if (key === 'POST v1/projects' && id === undefined) return create(state, request, violate);
  if (key === 'GET v1/projects' && id !== undefined) {
    const project = state.projects.get(id);
    if (!project) {
      return { status: state.unknownProjectStatus, json: { message: 'Project not found' } };
    }
    if (sub === undefined) return { status: 200, json: withDatabase(project) };
    if (sub === 'health') return health(project, request, violate);
  }
  if (key === 'GET v1/organizations' && sub === 'projects') {
    return search(state, request, id ?? '', violate);
  }
  return violate('no such route');
}

function create(state: BackendState, request: SimulatorRequest, violate: Violate): SimulatorAnswer {
  if (request.headers['content-type'] !== 'application/json') return violate('not JSON');
  if (typeof request.json !== 'object' || request.json === null) return violate('no object');
  const fields = new Map<string, unknown>(Object.entries(request.json));
  const unknown = [...fields.keys()].find((name) => !CREATE_FIELDS.has(name));
  if (unknown) return violate(`property ${unknown} should not exist`);
  const name = fields.get('name');
  const password = fields.get('db_pass');
  if (typeof name !== 'string' || name.length < 1 || name.length > 256) return violate('name');
  if (typeof password !== 'string' || password.length < 12) return violate('db_pass');
  if (fields.get('organization_slug') !== state.organization) {
    return { status: 403, json: { message: 'Forbidden organization' } };
  }
  const region = regionOf(fields.get('region_selection'));
  if (!region) return violate('region_selection');
  const project = addProject(state, { name, region, databasePassword: password });
  return { status: 201, json: body(project, 'COMING_UP') };
}

function regionOf(selection: unknown): string | null {
  if (selection === undefined) return 'us-east-1';
  if (typeof selection !== 'object' || selection === null) return null;
  const fields = new Map<string, unknown>(Object.entries(selection));
  const code = fields.get('code');
  if (typeof code !== 'string' || fields.size !== 2) return null;
  if (fields.get('type') === 'specific') return REGIONS.has(code) ? code : null;
  return fields.get('type') === 'smartGroup' && SMART_GROUPS.has(code) ? `${code}-1` : null;
}

function body(project: SimProject, status: string) {
  return {
    id: project.ref,
    ref: project.ref,
    organization_id: project.organizationSlug,
    organization_slug: project.organizationSlug,
    name: project.name,
    region: project.region,
    created_at: project.createdAt.toISOString(),
    status,
  };
}

function withDatabase(project: SimProject) {
  const host = `db.${project.ref}.supabase.co`;
  return {
    ...body(project, 'ACTIVE_HEALTHY'),
    database: { host, version: '17.4.1', postgres_engine: '17', release_channel: 'ga' },
  };
}

function health(project: SimProject, request: SimulatorRequest, violate: Violate): SimulatorAnswer {
  const services = request.query.getAll('services');
  const unknown = services.find((name) => !(name in project.services));
  if (services.length === 0 || unknown) return violate(`services: ${unknown ?? 'none'}`);
  return {
    status: 200,
    json: services.map((name) => ({ name, ...project.services[name] })),
  };
}

function search(
  state: BackendState,
  request: SimulatorRequest,
  slug: string,
  violate: Violate,
): SimulatorAnswer {
  if (slug !== state.organization) return { status: 404, json: { message: 'Not found' } };
  const limit = Number(request.query.get('limit') ?? 100);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) return violate('limit');
  const wanted = (request.query.get('search') ?? '').toLowerCase();
  const projects = [...state.projects.values()]
    .filter((project) => !state.hiddenFromSearch.has(project.ref))
    .filter((project) => project.name.toLowerCase().includes(wanted))
    .slice(0, limit)
    .map(({ ref, name, region, createdAt }) => ({
      ref,
      name,
      status: 'COMING_UP',
      region,
      inserted_at: createdAt.toISOString(),
      databases: [],
    }));
  const pagination = { count: projects.length, limit, offset: 0 };
  return { status: 200, json: { projects, pagination } };
}
