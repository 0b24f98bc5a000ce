import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { $ } from 'bun';

/** The fenced blocks of one chapter of a README, with their language, in order. */
export function blocksOf(root: string, chapter: string): { language: string; code: string }[] {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  const [, after = ''] = text.split(`\n## ${chapter}\n`);
  const [body = ''] = after.split('\n## ');
  return [...body.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, language = '', code = '']) => ({
    language,
    code,
  }));
}

const COMMENT = /\s+# .*$/;
const ASSIGNMENT = /^([A-Z_]+)=(\S+)(?:\s+# (.*))?$/;

/** Who types what a README says: its commands, with what they answer put where it says so. */
export class Reader {
  readonly variables: Record<string, string> = {};
  /** What the last command answered. */
  answer: any = null;

  constructor(
    private readonly folder: string,
    private readonly api: string,
  ) {}

  async type(block: string, replace: (command: string) => string = (command) => command) {
    for (const line of block.replaceAll('\\\n', ' ').split('\n')) {
      if (!line.trim()) continue;
      const [, name, , comment = ''] = ASSIGNMENT.exec(line) ?? [];
      if (name) this.variables[name] = this.#value(comment);
      else await this.#run(replace(line.replace(COMMENT, '')));
    }
  }

  #value(comment: string): string {
    if (comment.includes('as the start printed it')) return this.api;
    const [, field = ''] = /^"(\w+)" of the answer/.exec(comment) ?? [];
    const value = this.answer?.[field];
    if (typeof value !== 'string')
      throw new Error(`No "${field}" in ${JSON.stringify(this.answer)}`);
    return value;
  }

  async #run(command: string): Promise<void> {
    // The one id that is written out in the middle of a command: that of the answer before.
    const typed = command.replace(/\bfun_…/, () => this.answer[0].id);
    const env = { ...process.env, ...this.variables };
    const run = await $`sh -c ${typed}`.cwd(this.folder).env(env).nothrow().quiet();
    const output = run.stdout.toString();
    if (run.exitCode !== 0) throw new Error(`${typed}\n${output}\n${run.stderr.toString()}`);
    this.answer = /^\s*[[{]/.test(output) ? JSON.parse(output) : output;
  }
}
