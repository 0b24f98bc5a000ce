import type { Locator } from 'playwright-core';

/** Clicks as a person does, and counts. */
export function countedClicks() {
  let made = 0;
  return {
    click: async (what: Locator): Promise<void> => {
      await what.click();
      made += 1;
    },
    made: () => made,
  };
}
