import { type Signal, useSignal } from '@preact/signals';
import { crossedIndex, crosshair, dropCrosshair } from './crosshair.ts';
import { startMs } from './days.ts';
import { type Frame, heightAt } from './frame.ts';
import { nearest, nearestKey } from './places.ts';
import type { TimeChartProps } from './types.ts';

/** Shorter ways of the pointer are a click. */
const DRAG_PX = 5;

export type Pointing = {
  pointer: Signal<{ x: number; y: number } | null>;
  dragged: Signal<{ from: number; to: number } | null>;
  handlers: {
    onPointerDown: (event: PointerEvent) => void;
    onPointerMove: (event: PointerEvent) => void;
    onPointerUp: (event: PointerEvent) => void;
    onPointerLeave: () => void;
    onPointerCancel: () => void;
  };
  stopDrag: () => void;
};

/** Escape goes back from it. */
let draggedTo: string | undefined;

export function undoDrag(): boolean {
  if (draggedTo === undefined || draggedTo !== location.href) return false;
  draggedTo = undefined;
  history.back();
  return true;
}

function chooseRange({ days, onRange }: TimeChartProps, a: number, b: number): void {
  const [from, to] = [days[Math.min(a, b)], days[Math.max(a, b)]];
  if (from === undefined || to === undefined || !onRange) return;
  const before = location.href;
  onRange(from, to);
  draggedTo = location.href === before ? undefined : location.href;
}

export function usePointing(chart: TimeChartProps, frame: Frame, id: string): Pointing {
  const pointer = useSignal<{ x: number; y: number } | null>(null);
  const dragged = useSignal<{ from: number; to: number } | null>(null);
  const pressed = useSignal<{ x: number; index: number; wasOn: number | undefined } | null>(null);
  const stop = () => {
    pressed.value = null;
    dragged.value = null;
  };
  const at = (event: PointerEvent) => {
    const box = event.currentTarget instanceof Element ? event.currentTarget : undefined;
    const { left = 0, top = 0 } = box?.getBoundingClientRect() ?? {};
    const place = { x: event.clientX - left, y: event.clientY - top };
    return { ...place, index: nearest(frame.xs, place.x) };
  };
  const cross = (event: PointerEvent) => {
    const { x, y, index } = at(event);
    const day = index === undefined ? undefined : chart.days[index];
    if (day === undefined) return;
    pointer.value = { x, y };
    const how = event.pointerType === 'touch' ? 'touch' : 'mouse';
    crosshair.value = { ms: startMs(day), by: id, how };
  };
  const open = (event: PointerEvent) => {
    const { y, index } = at(event);
    const day = index === undefined ? undefined : chart.days[index];
    // A second touch opens.
    const isFirstTouch = event.pointerType === 'touch' && pressed.value?.wasOn !== index;
    if (index === undefined || day === undefined || isFirstTouch) return;
    const points = frame.drawn.map((one) => ({ key: one.key, y: heightAt(frame, one, index) }));
    chart.onDay?.(day, nearestKey(points, y));
  };
  return {
    pointer,
    dragged,
    stopDrag: stop,
    handlers: {
      onPointerDown: (event) => {
        if (event.button !== 0) return;
        const { x, index } = at(event);
        const wasOn = crosshair.peek()?.by === id ? crossedIndex(chart) : undefined;
        if (index !== undefined) pressed.value = { x, index, wasOn };
        cross(event);
      },
      onPointerMove: (event) => {
        cross(event);
        const start = pressed.value;
        const { x, index } = at(event);
        if (!start || index === undefined || !chart.onRange || event.pointerType === 'touch')
          return;
        if (!dragged.value && Math.abs(x - start.x) < DRAG_PX) return;
        if (!dragged.value && event.currentTarget instanceof Element) {
          event.currentTarget.setPointerCapture(event.pointerId);
        }
        dragged.value = { from: start.index, to: index };
      },
      onPointerUp: (event) => {
        const range = dragged.value;
        if (range && range.from !== range.to) chooseRange(chart, range.from, range.to);
        else if (!range && pressed.value) open(event);
        stop();
      },
      onPointerLeave: () => {
        pointer.value = null;
        if (!dragged.value) dropCrosshair(id);
      },
      onPointerCancel: () => {
        stop();
        dropCrosshair(id);
      },
    },
  };
}
