/** The files of a node's stores; null where there is no public one. */
export interface StorePaths {
  readonly private: string;
  readonly public: string | null;
}
