const described = (line: string) => /^# (?:HELP|TYPE) (\S+)/.exec(line)?.[1];

export function mergeMetrics(texts: readonly string[]): string {
  const families = new Map<string, Set<string>>();
  for (const text of texts) {
    let family = new Set<string>();
    for (const line of text.split('\n').filter(Boolean)) {
      const name = described(line);
      if (name !== undefined) {
        family = families.get(name) ?? new Set();
        families.set(name, family);
      }
      // Samples differ by label `role`, descriptions never.
      family.add(line);
    }
  }
  const blocks = [...families.values()].map((lines) => [...lines].join('\n'));
  return `${blocks.join('\n\n')}\n`;
}
