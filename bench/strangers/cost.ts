import { readFileSync } from 'node:fs';
import { BOMBS, bomb, DOORS, ENCODINGS } from '../../test/support/bombs.ts';
import { median, print } from '../support/report.ts';

const BYTES = 7_500_000;
const TURNS = 5;

/** Of the thread that has the event loop. */
const loopMs = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

let addresses = 0;
const newAddress = (): string => {
  addresses += 1;
  return `198.${18 + (addresses >> 16)}.${(addresses >> 8) & 255}.${addresses & 255}`;
};

/** What one request of a stranger costs at most, for each format and encoding. */
export async function measureCosts(pid: number, intake: string): Promise<void> {
  for (const [name, { pack, encoding }] of Object.entries(ENCODINGS)) {
    const bodies = Object.entries(BOMBS).map(([kind, sign]) => ({
      kind,
      body: Buffer.from(pack(bomb(sign, BYTES))),
    }));
    for (const [door, { path, headers }] of Object.entries(DOORS)) {
      const costs: { kind: string; ms: number }[] = [];
      for (const { kind, body } of bodies) {
        const turns: number[] = [];
        for (let turn = 0; turn < TURNS; turn += 1) {
          const beforeMs = loopMs(pid);
          await fetch(`${intake}${path}`, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              'x-forwarded-for': newAddress(),
              ...headers,
              ...(encoding !== undefined && { 'content-encoding': encoding }),
            },
            body,
          }).then(
            (answer) => answer.text(),
            () => '',
          );
          turns.push(loopMs(pid) - beforeMs);
        }
        costs.push({ kind, ms: median(turns) });
      }
      const [worst] = costs.toSorted((a, b) => b.ms - a.ms);
      print({
        label: `${door}, ${name}: ${worst?.kind}`,
        value: `${worst?.ms.toFixed(2)} ms of the event loop a request   (goal ≤ 5 ms)`,
      });
    }
  }
}
