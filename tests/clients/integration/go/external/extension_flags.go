package external

import "strings"

// Flags of apiextensions-apiserver that kube-apiserver does not have, with a value of their own or without.
var unknownToKubeAPIServer = map[string]bool{
	"--authentication-skip-lookup": false,
	"--authentication-kubeconfig":  true,
	"--authorization-kubeconfig":   true,
	"--kubeconfig":                 true,
	"--etcd-servers":               true,
}

// ExtensionFlags turns flags of apiextensions-apiserver into such of a kube-apiserver that serves the same.
func ExtensionFlags(given []string) []string {
	flags := []string{
		"--service-cluster-ip-range=10.0.0.0/16",
		"--service-account-issuer=https://issuer.example.com",
	}
	for i := 0; i < len(given); i++ {
		flag := given[i]
		if hasValue, found := unknownToKubeAPIServer[flag]; found {
			if hasValue {
				i++
			}
			continue
		}
		if !strings.Contains(flag, "=") && i+1 < len(given) && !strings.HasPrefix(given[i+1], "--") {
			i++
			flag += "=" + given[i]
		}
		flags = append(flags, flag)
	}
	return flags
}
