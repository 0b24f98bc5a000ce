export function placeAfterKey(key: string, at: number, length: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % length;
    case 'ArrowUp':
      return at <= 0 ? length - 1 : at - 1;
    case 'Home':
      return 0;
    case 'End':
      return length - 1;
  }
}

const isLetter = (event: KeyboardEvent): boolean =>
  event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;

export function moveFocus(event: KeyboardEvent, selector: string): void {
  const { currentTarget } = event;
  if (!(currentTarget instanceof HTMLElement)) return;
  const entries = [...currentTarget.querySelectorAll<HTMLElement>(selector)];
  const { activeElement } = document;
  const at = activeElement instanceof HTMLElement ? entries.indexOf(activeElement) : -1;
  const place = placeAfterKey(event.key, at, entries.length);
  const next =
    place !== undefined
      ? entries[place]
      : isLetter(event)
        ? [...entries.slice(at + 1), ...entries.slice(0, at + 1)].find((entry) =>
            entry.textContent.trim().toLowerCase().startsWith(event.key.toLowerCase()),
          )
        : undefined;
  if (!next) return;
  event.preventDefault();
  next.focus();
}
