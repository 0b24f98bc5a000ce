export type BackendRegion = 'us-east-1' | 'us-west-1' | 'eu-west-1';

export type BackendProject = {
  /** 20 lower-case letters. */
  ref: string;
  name: string;
  /** For apps. */
  url: string;
};

export type BackendHealth = 'healthy' | 'coming_up' | 'unhealthy';

export type NewBackendProject = {
  /** Unique, to find a project whose response was lost. */
  name: string;
  region: BackendRegion;
  databasePassword: string;
};

/** Throws `ProviderError`, `outcomeUnknown` when the project may exist. */
export interface BackendProvider {
  createProject(project: NewBackendProject): Promise<BackendProject>;
  readProject(ref: string): Promise<BackendProject | null>;
  /** Exact match; several only if made by hand. */
  findProjects(name: string): Promise<BackendProject[]>;
  readHealth(ref: string): Promise<BackendHealth>;
}
