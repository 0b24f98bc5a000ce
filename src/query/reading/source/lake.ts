export type LakeSnapshot = {
  events: number;
  people: number;
  erasures: number;
  deletedApps: number;
  dataThroughMs: number;
};

export type Lake = {
  snapshot: LakeSnapshot;
  rows: (statement: string) => Promise<unknown[][]>;
};
