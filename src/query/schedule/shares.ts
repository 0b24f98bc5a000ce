/** A person, then an organization of theirs. */
export type Payers = readonly string[];

const MAX_ACCOUNTS = 10_000;

/** As in start-time fair queueing: `begun` is what the last served part had paid. */
class Account {
  paid = 0;
  begun = 0;
  readonly parts = new Map<string, Account>();

  part(name: string): Account {
    const known = this.parts.get(name);
    if (known) return known;
    const part = new Account();
    this.parts.set(name, part);
    return part;
  }

  due(name: string): number {
    return Math.max(this.begun, this.parts.get(name)?.paid ?? 0);
  }

  charge(name: string, seconds: number): void {
    this.part(name).paid += seconds;
  }

  forget(): void {
    for (const [name, { paid }] of this.parts) if (paid <= this.begun) this.parts.delete(name);
  }
}

/** Whoever used the least time is next: of persons, then of what is theirs. */
export class Shares {
  readonly #all = new Account();

  /** In the order of arrival. */
  first<T extends { payers: Payers }>(waiting: readonly T[]): T | undefined {
    let left = waiting;
    let account: Account | undefined = this.#all;
    for (let level = 0; left.length > 1; level += 1) {
      const dues = new Map<string, number>();
      for (const { payers } of left) {
        const name = payers[level];
        if (name === undefined) return left[0];
        if (!dues.has(name)) dues.set(name, account?.due(name) ?? 0);
      }
      const least = Math.min(...dues.values());
      const [next = ''] = [...dues].find(([, due]) => due === least) ?? [];
      left = left.filter(({ payers }) => payers[level] === next);
      account = account?.parts.get(next);
    }
    return left[0];
  }

  begin(payers: Payers): void {
    this.#along(payers, (account, name) => {
      account.begun = account.due(name);
      account.part(name).paid = account.begun;
    });
    if (this.#all.parts.size > MAX_ACCOUNTS) this.#all.forget();
  }

  charge(payers: Payers, seconds: number): void {
    this.#along(payers, (account, name) => account.charge(name, seconds));
  }

  #along(payers: Payers, use: (account: Account, name: string) => void): void {
    let account = this.#all;
    for (const name of payers) {
      use(account, name);
      account = account.part(name);
    }
  }
}
