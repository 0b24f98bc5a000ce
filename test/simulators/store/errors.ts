import type { SimulatorAnswer } from '../kit/server.ts';

/** One error body of the store; `status` is a string in it. */
function error(
  status: number,
  code: string,
  title: string,
  detail: string,
  rest: Record<string, unknown> = {},
): SimulatorAnswer {
  const id = '9f1c1d3e-0000-4000-8000-000000000000';
  return {
    status,
    json: { errors: [{ id, status: String(status), code, title, detail, ...rest }] },
  };
}

const invalid = (detail: string, parameter: string) =>
  error(400, 'PARAMETER_ERROR.INVALID', 'A parameter has an invalid value', detail, {
    source: { parameter },
  });

const noResult = (detail: string) =>
  error(404, 'NOT_FOUND', 'The request expected results but none were found', detail);

/** What the store answers, word for word where its words are known. */
export const ERRORS = {
  notAuthorized: () =>
    error(
      401,
      'NOT_AUTHORIZED',
      'Authentication credentials are missing or invalid.',
      'Provide a properly configured and signed bearer token, and make sure that it has not expired. Learn more about Generating Tokens for API Requests https://developer.apple.com/go/?id=api-generating-tokens',
    ),
  roleMissing: () =>
    error(
      403,
      'FORBIDDEN_ERROR',
      'This request is forbidden for security reasons',
      'The API key in use does not allow this request',
    ),
  agreement: () =>
    error(
      403,
      'FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED',
      'A required agreement is missing or has expired.',
      'This request requires an in-effect agreement that has not been signed or has expired.',
      { links: { see: '/business' } },
    ),
  noSuchResource: () =>
    error(
      404,
      'NOT_FOUND',
      'The specified resource does not exist',
      'There is no resource of this type with that id.',
    ),
  noSales: () => noResult('There were no sales for the date specified.'),
  notYet: () =>
    noResult(
      'Report is not available yet. Daily reports for the Americas are available by 5 am Pacific Time; Japan, Australia, and New Zealand by 5 am Japan Standard Time; and 5 am Central European Time for all other territories.',
    ),
  unclear: () => noResult('Nothing matched.'),
  gone: () =>
    error(
      410,
      'GONE',
      'The resource is gone',
      'Report is no longer available. It is over a year old.',
    ),
  invalidVendor: () =>
    invalid('Invalid vendor number specified. Try again.', 'filter[vendorNumber]'),
  invalidVersion: (latest: string) =>
    invalid(
      `The version parameter you have specified is invalid. The latest version for this report is ${latest}.`,
      'filter[version]',
    ),
  invalidCombination: () =>
    error(
      400,
      'PARAMETER_ERROR.INVALID.INVALID_COMBINATION',
      'Some provided parameters cannot be used in this combination.',
      'Invalid combination of date type and date. For daily and weekly reports, use format YYYY-MM-DD. For monthly, use YYYY-MM. For yearly, use YYYY.',
    ),
  unknownParameter: (name: string) =>
    error(
      400,
      'PARAMETER_ERROR.ILLEGAL',
      'A parameter is not allowed',
      `The parameter '${name}' can not be used with this request`,
      { source: { parameter: name } },
    ),
  notAcceptable: () =>
    error(406, 'NOT_ACCEPTABLE', 'Not acceptable', 'The requested media type is not offered.'),
  rateLimited: () =>
    error(
      429,
      'RATE_LIMIT_EXCEEDED',
      'The request rate limit has been reached.',
      "We've received too many requests for this API. Please wait and try again or slow down your request rate.",
    ),
  unexpected: () =>
    error(
      500,
      'UNEXPECTED_ERROR',
      'An unexpected error occurred.',
      'An unexpected error occurred on the server side. If this issue continues, contact us at https://developer.apple.com/contact/.',
    ),
} as const;
