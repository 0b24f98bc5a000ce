import axe from 'axe-core';
import type { Page } from 'playwright-core';

type Violation = { id: string; help: string; nodes: { html: string }[] };

/** What axe-core has against the page as it stands, a line each. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const isLoaded: boolean = await page.evaluate("typeof axe !== 'undefined'");
  if (!isLoaded) await page.evaluate(axe.source);
  const violations: Violation[] = await page.evaluate(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then(({ violations }) => violations)",
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `${page.url()}: ${id}: ${help}: ${html}`),
  );
}
