/** Where a project can run; the regions of the contract. */
export type BackendRegion = 'us-east-1' | 'us-west-1' | 'eu-west-1';

export type BackendProject = {
  /** The provider's id of the project, 20 lower-case letters. */
  ref: string;
  name: string;
  /** The address that apps use. */
  url: string;
};

export type BackendHealth = 'healthy' | 'coming_up' | 'unhealthy';

export type NewBackendProject = {
  /** Unique in the provider's organization by our choice: a lost answer is looked up by it. */
  name: string;
  region: BackendRegion;
  databasePassword: string;
};

/**
 * A provider of backend projects. Every method throws `ProviderError`; `createProject` with
 * `outcomeUnknown` when the project may exist all the same.
 */
export interface BackendProvider {
  createProject(project: NewBackendProject): Promise<BackendProject>;
  /** Null for a project that does not exist or that our credentials may not see. */
  readProject(ref: string): Promise<BackendProject | null>;
  /** The projects with exactly this name; more than one only if somebody made them by hand. */
  findProjects(name: string): Promise<BackendProject[]>;
  readHealth(ref: string): Promise<BackendHealth>;
}
