import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export function ScrollFrame(props: { class: string; label: string; children: ComponentChildren }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const update = () => {
      const scrolls = element.scrollWidth > element.clientWidth;
      element.toggleAttribute('data-scrolls', scrolls);
      if (scrolls) {
        element.tabIndex = 0;
        element.setAttribute('role', 'group');
        element.setAttribute('aria-label', props.label);
      } else {
        for (const name of ['tabindex', 'role', 'aria-label']) element.removeAttribute(name);
      }
    };
    const watcher = new ResizeObserver(update);
    watcher.observe(element);
    if (element.firstElementChild) watcher.observe(element.firstElementChild);
    return () => watcher.disconnect();
  }, [props.label]);
  return (
    <div ref={frame} class={props.class}>
      {props.children}
    </div>
  );
}
