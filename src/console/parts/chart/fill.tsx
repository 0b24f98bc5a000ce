import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export function Fill(props: { least: number; children: (height: number) => ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  const height = useSignal(props.least);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return;
    const update = () => {
      height.value = Math.max(props.least, Math.floor(element.clientHeight));
    };
    update();
    const watcher = new ResizeObserver(update);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [props.least]);
  return (
    <div ref={place} class="fill" style={{ minHeight: `${props.least}px` }}>
      <div class="filled">{props.children(height.value)}</div>
    </div>
  );
}
