import { ROOT } from '../install.ts';

export type Advisory = { id: string; name: string; severity: string; title: string; url: string };

/** From these on the check fails; what is below is printed. */
const SERIOUS = new Set(['high', 'critical']);

/** Advisories that do not reach us, each with the reason; by their address. */
const ACCEPTED: Readonly<Record<string, string>> = {};

function text(of: unknown, name: string): string {
  const value: unknown =
    typeof of === 'object' && of !== null ? Object.getOwnPropertyDescriptor(of, name)?.value : null;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** What the registry answered (`{ package: [advisory] }`); null when it is not that. */
export function readAdvisories(output: string): Advisory[] | null {
  let answer: unknown;
  try {
    answer = JSON.parse(output);
  } catch {
    return null;
  }
  if (typeof answer !== 'object' || answer === null) return null;
  return Object.entries(answer).flatMap(([name, list]: [string, unknown]) =>
    (Array.isArray(list) ? list : []).map((one: unknown) => ({
      id: text(one, 'id'),
      name,
      severity: text(one, 'severity'),
      title: text(one, 'title'),
      url: text(one, 'url'),
    })),
  );
}

/** `why` says that the registry does not answer. */
export async function askAdvisories(
  registry?: string,
): Promise<{ found: Advisory[]; why: string | null }> {
  const child = Bun.spawn([process.execPath, 'audit', '--json'], {
    cwd: ROOT,
    env: { ...process.env, ...(registry !== undefined && { NPM_CONFIG_REGISTRY: registry }) },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  const found = readAdvisories(output);
  const why = found === null ? (/error: (.*)/.exec(errors)?.[1] ?? errors.trim()) : null;
  return { found: found ?? [], why };
}

/** Fails for what is serious and not accepted; a registry that cannot be asked fails nothing. */
export async function checkAdvisories(registry?: string): Promise<number> {
  const { found, why } = await askAdvisories(registry);
  if (why !== null) {
    console.log(`not run: advisories (the registry does not answer: ${why})`);
    return 0;
  }
  const open = found.filter(({ url }) => ACCEPTED[url] === undefined);
  for (const { name, severity, title, url } of open) {
    console.log(`${severity}: ${name}: ${title} ${url}`);
  }
  const serious = open.filter(({ severity }) => SERIOUS.has(severity));
  console.log(`${open.length} advisories, ${serious.length} of them serious`);
  return serious.length > 0 ? 1 : 0;
}
