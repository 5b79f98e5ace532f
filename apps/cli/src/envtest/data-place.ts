/** What the stand-in for etcd tells the one for kube-apiserver. */
export interface DataPlace {
  /** Absolute. */
  readonly dataDirectory: string;
}

/** Where it is asked; no etcd has anything there. */
export const DATA_PLACE_PATH = "/homeostat/data-place";
