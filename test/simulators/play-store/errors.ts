import type { SimulatorAnswer } from '../kit/server.ts';

const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
};

export const googleError = (
  status: number,
  reason: string,
  message: string = reason,
): SimulatorAnswer => {
  const named = STATUSES[status];
  return {
    status,
    json: {
      error: {
        code: status,
        message,
        errors: [{ domain: 'global', reason, message }],
        ...(named === undefined ? {} : { status: named }),
      },
    },
  };
};
