import { type Placement, placed } from './placement.ts';

function place(anchor: Element, panel: HTMLElement, placement: Placement): void {
  // So that the side does not depend on where it stood before.
  panel.style.removeProperty('--room');
  const { offsetWidth: width, offsetHeight: height } = panel;
  const { clientWidth, clientHeight } = document.documentElement;
  const screen = { width: clientWidth, height: clientHeight };
  const to = placed(anchor.getBoundingClientRect(), { width, height }, screen, placement);
  panel.style.setProperty('--room', `${Math.floor(to.room)}px`);
  panel.style.left = `${Math.round(to.x)}px`;
  panel.style.top = `${Math.round(to.y)}px`;
}

/** In the top layer and on the screen; what it returns ends that. */
export function keepPlaced(anchor: Element, panel: HTMLElement, placement: Placement): () => void {
  const ended = new AbortController();
  const replace = () => place(anchor, panel, placement);
  const replaceUnlessInside = ({ target }: Event) => {
    if (!(target instanceof Node && panel.contains(target))) replace();
  };
  // Scrolling does not bubble.
  const options = { capture: true, passive: true, signal: ended.signal };
  addEventListener('scroll', replaceUnlessInside, options);
  addEventListener('resize', replace, options);
  const sizes = new ResizeObserver(replace);
  for (const one of [anchor, panel, document.body]) sizes.observe(one);
  replace();
  panel.style.removeProperty('opacity');
  return () => {
    ended.abort();
    sizes.disconnect();
  };
}
