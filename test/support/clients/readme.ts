import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { $ } from 'bun';

export type Block = { language: string; code: string };

/** The fenced blocks of a text, with their language, in order. */
export const blocksOf = (text: string): Block[] =>
  [...text.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, language = '', code = '']) => ({
    language,
    code,
  }));

/** Commands by hand: docs/http.md. */
export function blocksByHand(root: string): Block[] {
  const text = readFileSync(join(root, 'docs/http.md'), 'utf8');
  const [, after = ''] = text.split('\n## From nothing to a figure\n');
  return blocksOf(after.split('\n## ')[0] ?? '');
}

/** What an app installs and what it writes: the beginning of docs/clients.md. */
export function readClients(root: string) {
  const [text = ''] = readFileSync(join(root, 'docs/clients.md'), 'utf8').split('\n## ');
  const blocks = blocksOf(text);
  const installOf = (client: string) => {
    const [, cell = ''] = new RegExp(`^\\| ${client} +\\| (.*) \\|$`, 'm').exec(text) ?? [];
    return [...cell.matchAll(/`([^`]+)`/g)].map(([, command = '']) => command).join('\n');
  };
  const codeWith = (part: string) => blocks.find(({ code }) => code.includes(part))?.code ?? '';
  return {
    web: { install: installOf('web'), code: codeWith("from 'control-plane-web';") },
    expo: {
      install: installOf('Expo, React Native'),
      code: codeWith('control-plane-web/react-native'),
    },
    swift: { install: installOf('Swift'), code: codeWith('import ControlPlane\n') },
  };
}

const COMMENT = /\s+# .*$/;
const ASSIGNMENT = /^([A-Z_]+)=(\S+)(?:\s+# (.*))?$/;

/** Who types what a page says: its commands, with what they answer put where it says so. */
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
