import type { Placement } from '@floating-ui/dom';

export type { Placement };

let floating: Promise<typeof import('./floating-parts.ts')> | undefined;

/** When somebody is about to open something. */
export const loadFloating = () => {
  floating ??= import('./floating-parts.ts').catch((error: unknown) => {
    floating = undefined;
    throw error;
  });
  return floating;
};

const GAP = 6;
const EDGE = 8;

function moveTo(panel: HTMLElement, { x, y }: { x: number; y: number }): void {
  panel.style.left = `${Math.round(x)}px`;
  panel.style.top = `${Math.round(y)}px`;
}

/** Below the anchor, until or unless it can be placed well. */
function placeBelow(anchor: Element, panel: HTMLElement): void {
  const { left, bottom } = anchor.getBoundingClientRect();
  const x = Math.max(EDGE, Math.min(left, innerWidth - panel.offsetWidth - EDGE));
  moveTo(panel, { x, y: bottom + GAP });
}

/** In the top layer and on the screen; what it returns ends that. */
export function keepPlaced(anchor: Element, panel: HTMLElement, placement: Placement): () => void {
  let isOver = false;
  let end = () => {};
  const show = () => panel.style.removeProperty('opacity');
  loadFloating()
    .then(({ autoUpdate, computePosition, flip, offset, shift, size }) => {
      if (isOver) return;
      const middleware = [
        offset(GAP),
        flip({ padding: EDGE }),
        shift({ padding: EDGE }),
        size({
          padding: EDGE,
          apply: ({ availableHeight }) =>
            panel.style.setProperty('--room', `${Math.floor(availableHeight)}px`),
        }),
      ];
      end = autoUpdate(anchor, panel, () => {
        void computePosition(anchor, panel, { strategy: 'fixed', placement, middleware }).then(
          (position) => {
            moveTo(panel, position);
            show();
          },
        );
      });
    })
    .catch(() => {
      placeBelow(anchor, panel);
      show();
    });
  return () => {
    isOver = true;
    end();
  };
}
