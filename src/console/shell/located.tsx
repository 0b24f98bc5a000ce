import { type ComponentChildren, options } from 'preact';
import { useMemo } from 'preact/hooks';
import { LocationProvider, useLocation } from 'preact-iso';
import { atAddress } from '../../shared/console-pages.ts';
import { addressed } from '../state/organization.ts';

const before = options.vnode;
options.vnode = (vnode) => {
  const { type, props } = vnode;
  if (type === 'a' && 'href' in props && typeof props.href === 'string') {
    props.href = addressed(props.href);
  }
  before?.(vnode);
};

function Inside({ children }: { children: ComponentChildren }) {
  const whole = useLocation();
  const place = useMemo(
    () => ({
      ...whole,
      path: atAddress(whole.path).path,
      route: (url: string, isBackSkipped?: boolean) => whole.route(addressed(url), isBackSkipped),
    }),
    [whole],
  );
  return <LocationProvider.ctx.Provider value={place}>{children}</LocationProvider.ctx.Provider>;
}

/** Pages say addresses without the organization. */
export const Located = ({ scope, children }: { scope: string; children: ComponentChildren }) => (
  <LocationProvider scope={scope}>
    <Inside>{children}</Inside>
  </LocationProvider>
);
