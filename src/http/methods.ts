import { AppError, noSuchRoute } from '../shared/errors.ts';
import { ACCESS } from './access.ts';

type Pattern = { method: string; segments: readonly string[] };

const PATTERNS: readonly Pattern[] = Object.keys(ACCESS).map((route) => {
  const [method = '', path = ''] = route.split(' ');
  return { method, segments: path.split('/') };
});

/** Not told apart from a path that is not there. */
const HIDDEN = /^\/internal(\/|$)/;

export function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

function fits(pattern: Pattern, segments: readonly string[]): boolean {
  return (
    pattern.segments.length === segments.length &&
    pattern.segments.every((part, index) => {
      const given = segments[index];
      return part.startsWith(':') ? given !== '' : part === given;
    })
  );
}

const parametersOf = ({ segments }: Pattern): number =>
  segments.filter((part) => part.startsWith(':')).length;

/** The methods that a path answers, in the order of the alphabet; empty where no route is. */
export function methodsOf(path: string): string[] {
  if (HIDDEN.test(path)) return [];
  const segments = withoutTrailingSlash(path).split('/');
  const fitting = PATTERNS.filter((one) => fits(one, segments));
  // A path of words is a resource of its own beside the ids that a parameter stands for.
  const fewest = Math.min(...fitting.map(parametersOf));
  const nearest = fitting.filter((one) => parametersOf(one) === fewest);
  const found = new Set(nearest.map((one) => one.method));
  if (found.size === 0) return [];
  if (found.has('GET')) found.add('HEAD');
  return [...found.add('OPTIONS')].toSorted();
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

/** What a request that no route matched is told. */
export function unmatched(method: string, path: string): AppError {
  const allowed = methodsOf(path);
  return allowed.length === 0 ? noSuchRoute() : new MethodNotAllowed(method, allowed);
}

/** The answer to an OPTIONS that is no preflight, or null where no route is. */
export function optionsAnswer(path: string): Response | null {
  const allowed = methodsOf(path);
  if (allowed.length === 0) return null;
  return new Response(null, { status: 204, headers: { allow: allowed.join(', ') } });
}
