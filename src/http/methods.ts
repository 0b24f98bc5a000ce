import { AppError, noSuchRoute } from '../shared/errors.ts';
import type { AccessTable } from './access.ts';

const HIDDEN = /^\/internal(\/|$)/;

export function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

type Pattern = { method: string; segments: readonly string[] };

function toPattern(route: string): Pattern {
  const [method = '', path = ''] = route.split(' ');
  return { method, segments: path.split('/') };
}

function fits(pattern: Pattern, segments: readonly string[]): boolean {
  return (
    pattern.segments.length === segments.length &&
    pattern.segments.every((part, index) => {
      const segment = segments[index];
      return part.startsWith(':') ? segment !== '' : part === segment;
    })
  );
}

const countParameters = ({ segments }: Pattern): number =>
  segments.filter((part) => part.startsWith(':')).length;

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export type IsCut = (method: string, path: string) => boolean;

/** Clients resolve ids of `.` and `..`, leaving a slash. Exempts shipped apps and the store. */
export function createIsCut(access: AccessTable): IsCut {
  const exempt = Object.entries(access)
    .filter(([, { who }]) => who.length === 0 || who.includes('device'))
    .map(([route]) => toPattern(route));
  return (method, path) => {
    if (SAFE_METHODS.has(method) || !path.endsWith('/')) return false;
    const segments = withoutTrailingSlash(path).split('/');
    return !exempt.some((pattern) => pattern.method === method && fits(pattern, segments));
  };
}

export type MethodsOf = (path: string) => string[];

export function createFindMethods(access: AccessTable): MethodsOf {
  const patterns = Object.keys(access).map(toPattern);
  const isCut = createIsCut(access);
  return (path) => {
    if (HIDDEN.test(path)) return [];
    const segments = withoutTrailingSlash(path).split('/');
    const fitting = patterns.filter((pattern) => fits(pattern, segments));
    // Literal paths take precedence over parameters.
    const fewest = Math.min(...fitting.map(countParameters));
    const nearest = fitting.filter((pattern) => countParameters(pattern) === fewest);
    const answered = nearest.map(({ method }) => method).filter((one) => !isCut(one, path));
    const methods = new Set(answered);
    if (methods.size === 0) return [];
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods.add('OPTIONS')].toSorted();
  };
}

/** No way to do anything. */
const ASKING: ReadonlySet<string> = new Set(['HEAD', 'OPTIONS']);

export class MethodNotAllowed extends AppError {
  constructor(
    method: string,
    readonly allowed: readonly string[],
  ) {
    super('method_not_allowed', `This path does not answer ${method}.`, {
      hint: `Use ${allowed.filter((one) => !ASKING.has(one)).join(', ')}.`,
    });
  }
}

export function unmatched(method: string, allowed: readonly string[], hint?: string): AppError {
  return allowed.length === 0 ? noSuchRoute(hint) : new MethodNotAllowed(method, allowed);
}

export function optionsAnswer(allowed: readonly string[]): Response | null {
  if (allowed.length === 0) return null;
  return new Response(null, { status: 204, headers: { allow: allowed.join(', ') } });
}
