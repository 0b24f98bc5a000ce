import { registeredRoutes } from '../../../src/app/routes.ts';
import { accessTable } from '../../../src/http/access.ts';

/** The access that the registered routes declare, by `METHOD /path/:param`. */
export const ACCESS = accessTable(
  registeredRoutes({ isReady: () => true, isHeld: () => false, stop: () => undefined }),
);
