import { AppError, noSuchRoute } from '../shared/errors.ts';

/** Answered like a path that does not exist. */
const HIDDEN = /^\/internal(\/|$)/;

export function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

type Pattern = { method: string; segments: readonly string[] };

function fits(pattern: Pattern, segments: readonly string[]): boolean {
  return (
    pattern.segments.length === segments.length &&
    pattern.segments.every((part, index) => {
      const segment = segments[index];
      return part.startsWith(':') ? segment !== '' : part === segment;
    })
  );
}

const parametersOf = ({ segments }: Pattern): number =>
  segments.filter((part) => part.startsWith(':')).length;

/** The methods that a path answers, in the order of the alphabet; empty where no route is. */
export type MethodsOf = (path: string) => string[];

/** `routes` are written as `METHOD /path/:param`. */
export function createMethodsOf(routes: readonly string[]): MethodsOf {
  const patterns = routes.map((route): Pattern => {
    const [method = '', path = ''] = route.split(' ');
    return { method, segments: path.split('/') };
  });
  return (path) => {
    if (HIDDEN.test(path)) return [];
    const segments = withoutTrailingSlash(path).split('/');
    const fitting = patterns.filter((pattern) => fits(pattern, segments));
    // A path of words is a resource of its own beside the ids that a parameter stands for.
    const fewest = Math.min(...fitting.map(parametersOf));
    const nearest = fitting.filter((pattern) => parametersOf(pattern) === fewest);
    const methods = new Set(nearest.map(({ method }) => method));
    if (methods.size === 0) return [];
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods.add('OPTIONS')].toSorted();
  };
}

export class MethodNotAllowed extends AppError {
  constructor(
    method: string,
    readonly allowed: readonly string[],
  ) {
    super('method_not_allowed', `This path does not answer ${method}.`, {
      hint: `Use ${allowed.join(', ')}.`,
    });
  }
}

/** The error of a request that no route matched. */
export function unmatched(method: string, allowed: readonly string[]): AppError {
  return allowed.length === 0 ? noSuchRoute() : new MethodNotAllowed(method, allowed);
}

/** The answer to an OPTIONS that is no preflight, or null where no route is. */
export function optionsAnswer(allowed: readonly string[]): Response | null {
  if (allowed.length === 0) return null;
  return new Response(null, { status: 204, headers: { allow: allowed.join(', ') } });
}
