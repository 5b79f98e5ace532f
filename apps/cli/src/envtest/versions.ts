/** The versions that the stand-ins say they are: those whose behaviour is meant. */
export const KUBERNETES_VERSION = "1.36.3";
export const ETCD_VERSION = "3.6.16";
