import { useEffect } from 'preact/hooks';
import { crossedIndex, crosshair, dropCrosshair } from './crosshair.ts';
import { startMs, STEPS_BACK } from './days.ts';
import { type Pointing, undoDrag } from './pointing.ts';
import type { TimeChartProps } from './types.ts';

export function dayOfKey(
  key: string,
  now: number | undefined,
  options: { count: number; stepBack: number },
): number | undefined {
  const last = options.count - 1;
  if (last < 0) return undefined;
  const from = now ?? last;
  const moved: Record<string, number> = {
    ArrowLeft: now === undefined ? last : from - 1,
    ArrowRight: now === undefined ? 0 : from + 1,
    PageUp: from - options.stepBack,
    PageDown: from + options.stepBack,
    Home: 0,
    End: last,
  };
  const to = moved[key];
  return to === undefined ? undefined : Math.max(0, Math.min(last, to));
}

export function onChartKey(
  event: KeyboardEvent,
  of: { chart: TimeChartProps; id: string; pointing: Pointing; openTable: () => void },
): void {
  const { chart, id, pointing, openTable } = of;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target !== event.currentTarget) return;
  const { days, unit = 'day' } = chart;
  const now = crosshair.peek()?.by === id ? crossedIndex(chart) : undefined;
  const to = dayOfKey(event.key, now, { count: days.length, stepBack: STEPS_BACK[unit] });
  const place = to === undefined ? undefined : days[to];
  const day = now === undefined ? undefined : days[now];
  if (place !== undefined) {
    pointing.pointer.value = null;
    crosshair.value = { ms: startMs(place), by: id, how: 'keys' };
  } else if (event.key === 'Enter' && day !== undefined) {
    chart.onDay?.(day, chart.series.length === 1 ? chart.series[0]?.key : undefined);
  } else if (event.key.toLowerCase() === 't') {
    openTable();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Ends a drag, else the crosshair, else goes back from what a drag chose. */
export function useEscape(id: string, pointing: Pointing): void {
  useEffect(() => {
    const leave = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      if (document.querySelector('dialog[open], :popover-open')) return;
      if (pointing.dragged.peek()) pointing.stopDrag();
      else if (crosshair.peek()?.by === id && crosshair.peek()?.how === 'keys') dropCrosshair(id);
      else if (!undoDrag()) return;
      event.preventDefault();
    };
    document.addEventListener('keydown', leave);
    return () => document.removeEventListener('keydown', leave);
  }, [id]);
}
