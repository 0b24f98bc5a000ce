import type { BrowserContext, Page } from 'playwright-core';

/** What a person presses or types into; a label hands its click on. */
const OPERABLE = 'a[href], button, input, select, textarea, summary, label, [tabindex="0"]';

/** Remembers what listens to a pointer, and how each part looks without the focus. */
export const watchPointers = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(`
    globalThis.pressed = new Set();
    const listen = EventTarget.prototype.addEventListener;
    EventTarget.prototype.addEventListener = function (type, ...rest) {
      if (this instanceof Element && /^(click|dblclick|mousedown|pointerdown)$/.test(type)) {
        pressed.add(this);
      }
      return listen.call(this, type, ...rest);
    };
  `);

const SCRIPT = `
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: false });
  const named = (one) => {
    const text = one.getAttribute('aria-label') ?? one.textContent.trim().slice(0, 40);
    return one.localName + (one.className?.trim ? '.' + one.className.trim().replaceAll(/\\s+/g, '.') : '') + ' ' + text;
  };
  /** Those of a group are reached at one of them, and the others from there by arrows. */
  const ROVING = '[role="tablist"], [role="menu"], [role="grid"], [role="listbox"], [role="toolbar"]';
  /** A cell of the stream of events, for which a chip above does the same. */
  const TWICE = 'td .cell-filter';
`;

/** What listens to a pointer and can be neither reached nor used without one. */
export const pointerOnly = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    ${SCRIPT}
    const others = [...pressed].filter((one) => one.isConnected && isSeen(one)).filter(
      (one) => !one.closest('${OPERABLE}, dialog') && !one.querySelector('${OPERABLE}'),
    );
    const skipped = [...document.querySelectorAll('[tabindex="-1"]')].filter(
      (one) => one.matches('a[href], button, input, select, textarea') && isSeen(one)
        && !one.closest(ROVING) && !one.matches(TWICE),
    );
    return [...others, ...skipped].map(named);
  })()`);

/** Walks the page by the tabulator: what was not reached, and where the focus was not seen. */
export async function faultsOfWalk(page: Page): Promise<string[]> {
  await page.evaluate(`(() => {
    ${SCRIPT}
    document.activeElement?.blur();
    getSelection()?.removeAllRanges();
    globalThis.reached = new Set();
    globalThis.faint = [];
    const looks = (one) => {
      const { outlineStyle, outlineWidth, backgroundColor, boxShadow, borderColor } = getComputedStyle(one);
      return outlineStyle === 'none' || outlineWidth === '0px'
        ? [backgroundColor, boxShadow, borderColor].join()
        : [outlineStyle, outlineWidth].join();
    };
    /** The part itself, what stands for it, and what it fills. */
    const around = (one) => [one, one.nextElementSibling, one.parentElement, one.closest('tr, .kpi, label')].filter(Boolean);
    globalThis.step = () => {
      const at = document.activeElement;
      if (!at || at === document.body || reached.has(at)) return false;
      reached.add(at);
      const focused = around(at).map(looks);
      at.blur();
      const blurred = around(at).map(looks);
      at.focus();
      if (focused.every((one, index) => one === blurred[index])) faint.push(named(at));
      return true;
    };
  })()`);
  // The first of all is the link over the navigation.
  await page.keyboard.press('Tab');
  while (await page.evaluate('step()')) await page.keyboard.press('Tab');
  return page.evaluate(`(() => {
    ${SCRIPT}
    const isOne = (one) => one.type !== 'radio' || one.checked;
    const left = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
      .filter((one) => isSeen(one) && one.tabIndex >= 0 && !one.disabled && !one.closest('[inert]'))
      .filter((one) => isOne(one) && !reached.has(one));
    return [
      ...left.map((one) => 'not reached: ' + named(one)),
      ...faint.map((one) => 'focus not seen: ' + one),
      ...(reached.size < 10 ? ['only ' + reached.size + ' reached'] : []),
    ];
  })()`);
}

/** Opens all that floats beside a button by keyboard, which is inside then, and leaves by Escape. */
export async function faultsOfPanels(page: Page): Promise<string[]> {
  const faults: string[] = [];
  const buttons = page.locator('main button[popovertarget]:visible:enabled');
  for (const button of await buttons.all()) {
    const name = `${(await button.getAttribute('aria-label')) ?? (await button.textContent())}`;
    await button.focus();
    await page.keyboard.press('Enter');
    const panel = page.locator('[popover]:popover-open');
    await panel.waitFor();
    // A note leaves the focus where it is.
    await page.locator('[popover]:popover-open:is(:focus-within, [role="note"])').waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
    const isBack = await button.evaluate((one) => one === one.ownerDocument.activeElement);
    if (!isBack) faults.push(`${name}: the focus does not come back`);
  }
  return faults;
}
