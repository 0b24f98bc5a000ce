import type { TestOrg, TestService } from '../service.ts';
import { flagApp } from './flags.ts';
import { randomFlags } from './random-flags.ts';
import { reckon } from './reckoning.ts';

const PER_APP = 500;

export type Case = { key: string; type: string; context: { targetingKey: string } };
/** `wanted`: by the plain reckoning, one for each case. */
export type Asked = { flagKey: string; cases: Case[]; wanted: unknown[] };

/** Random flags, each asked for by so many random people; an app for each five hundred. */
export async function randomCases(
  service: TestService,
  org: TestOrg,
  { flags, people, seed }: { flags: number; people: number; seed: number },
): Promise<Asked[]> {
  const random = randomFlags(seed);
  const asked: Asked[] = [];
  for (let done = 0; done < flags; done += PER_APP) {
    const app = await flagApp(service, org);
    const cases: Case[] = [];
    const wanted: unknown[] = [];
    for (let n = done; n < Math.min(flags, done + PER_APP); n += 1) {
      const made = await app.create(random.flag(`flag-${n}`));
      if (made.status !== 201) throw new Error(made.text);
      for (let person = 0; person < people; person += 1) {
        const context = random.context();
        cases.push({ key: made.body.key, type: made.body.type, context });
        wanted.push(reckon(made.body, context));
      }
    }
    asked.push({ flagKey: app.flagKey, cases, wanted });
  }
  return asked;
}

/** The first that is not as reckoned, with all that is needed to see why. */
export function wrongOnes({ cases, wanted }: Asked, found: readonly unknown[]): unknown[] {
  const all = cases.map((one, index) => ({ ...one, found: found[index], wanted: wanted[index] }));
  return all.filter((one) => !Bun.deepEquals(one.found, one.wanted)).slice(0, 3);
}
