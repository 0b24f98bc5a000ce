import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { API } from 'typescript/unstable/async';
import { type Mutation, mutationsOf } from './mutations.ts';

/**
 * The compiler over a copy of the tree. What it refuses needs no test, so such a change is no
 * mutant. Its programming interface is named unstable; the version is pinned in `package.json`.
 */
export async function openCompiler(tree: string, files: readonly string[]) {
  const config = join(tree, 'tsconfig.mutants.json');
  mkdirSync(tree, { recursive: true });
  writeFileSync(config, JSON.stringify({ extends: './tsconfig.json', include: [], files }));
  const api = new API({ cwd: tree });
  let snapshot = await api.updateSnapshot({ openProjects: [config] });
  const program = () => {
    const project = snapshot.getProjects()[0];
    if (!project) throw new Error(`The compiler could not open ${config}.`);
    return project.program;
  };
  return {
    mutations: async (file: string): Promise<Mutation[]> => {
      const source = await program().getSourceFile(join(tree, file));
      if (!source) throw new Error(`The compiler does not know ${file}.`);
      return mutationsOf(source);
    },
    /** Writes `text` into the copy and says whether it compiles there. */
    compiles: async (file: string, text: string): Promise<boolean> => {
      const path = join(tree, file);
      writeFileSync(path, text);
      snapshot = await api.updateSnapshot({ fileChanges: { changed: [path] } });
      const errors = await Promise.all([
        program().getSyntacticDiagnostics(path),
        program().getSemanticDiagnostics(path),
      ]);
      return errors.flat().length === 0;
    },
    close: () => api.close(),
  };
}

export type Compiler = Awaited<ReturnType<typeof openCompiler>>;
