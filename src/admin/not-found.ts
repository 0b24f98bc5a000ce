import { AppError } from '../shared/errors.ts';

/** Operators may know what exists, so they are told which id was wrong. */
export function notFoundNamed(what: string, id: string): AppError {
  return new AppError('not_found', `There is no ${what} "${id}".`);
}
