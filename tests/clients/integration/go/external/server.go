// Package external is put into a copy of k8s.io/apiextensions-apiserver: it starts a kube-apiserver
// as a program of its own where Kubernetes' integration tests start one inside their process.
package external

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// Server says what to start.
type Server struct {
	// Folder is for its files; a certificate apiserver.crt with its key is taken from there.
	Folder string
	// Port is free by now.
	Port int
	// Flags as "--name=value". Empty values of files and of the prefix mean that there is none.
	Flags []string
	// Unready servers are answered too, for tests of servers that never get ready.
	Unready bool
}

// The administrator that tests are, as the client inside the process would be.
const administrator = "administrator-of-the-tests"

const readyWithin = 60 * time.Second

// Start runs the kube-apiserver of $KUBEBUILDER_ASSETS until it is ready. What it prints goes to the
// end of the file $TEST_SERVER_LOG. Answers how its administrator gets in and how to stop it.
func Start(server Server) (*rest.Config, func(), error) {
	args, err := server.arguments()
	if err != nil {
		return nil, nil, err
	}
	log, err := os.OpenFile(os.Getenv("TEST_SERVER_LOG"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0644)
	if err != nil {
		return nil, nil, err
	}
	defer log.Close()
	command := exec.Command(filepath.Join(os.Getenv("KUBEBUILDER_ASSETS"), "kube-apiserver"), args...)
	command.Stdout, command.Stderr = log, log
	fmt.Fprintf(log, "=== %s\n", strings.Join(command.Args, " "))
	if err := command.Start(); err != nil {
		return nil, nil, err
	}
	ended := make(chan struct{})
	go func() {
		_ = command.Wait()
		close(ended)
	}()
	stop := func() {
		_ = command.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(15 * time.Second):
			_ = command.Process.Kill()
			<-ended
		}
	}
	config, err := server.untilReady(ended)
	if err != nil {
		stop()
		return nil, nil, err
	}
	return config, stop, nil
}

// What is given comes last, so that it wins, but for tokens: those are joined with the administrator's.
func (server Server) arguments() ([]string, error) {
	tokens := fmt.Sprintf("%s,system:apiserver,tests,\"system:masters\"\n", administrator)
	var given []string
	signs := false
	for _, flag := range server.Flags {
		name, value, _ := strings.Cut(flag, "=")
		switch {
		case name == "--token-auth-file" && value != "":
			more, err := os.ReadFile(value)
			if err != nil {
				return nil, err
			}
			tokens += string(more)
		case value == "" && (name == "--token-auth-file" || name == "--client-ca-file" || name == "--etcd-prefix"):
		default:
			signs = signs || name == "--service-account-signing-key-file"
			given = append(given, flag)
		}
	}
	tokenFile := filepath.Join(server.Folder, "tokens-of-the-tests.csv")
	if err := os.WriteFile(tokenFile, []byte(tokens), 0600); err != nil {
		return nil, err
	}
	args := []string{
		"--etcd-servers=" + os.Getenv(etcdOfServers),
		"--bind-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", server.Port),
		"--cert-dir=" + server.Folder,
		"--token-auth-file=" + tokenFile,
	}
	if !signs {
		key, err := server.writeKey()
		if err != nil {
			return nil, err
		}
		args = append(args, "--service-account-signing-key-file="+key, "--service-account-key-file="+key)
	}
	return append(args, given...), nil
}

func (server Server) writeKey() (string, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return "", err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return "", err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})
	name := filepath.Join(server.Folder, "service-accounts-of-the-tests.key")
	return name, os.WriteFile(name, text, 0600)
}

func (server Server) untilReady(ended <-chan struct{}) (*rest.Config, error) {
	limit := time.After(readyWithin)
	for {
		select {
		case <-ended:
			return nil, fmt.Errorf("kube-apiserver ended before it was ready, see %s", os.Getenv("TEST_SERVER_LOG"))
		case <-limit:
			return nil, fmt.Errorf("kube-apiserver was not ready within %s, see %s", readyWithin, os.Getenv("TEST_SERVER_LOG"))
		case <-time.After(50 * time.Millisecond):
		}
		// The server writes its certificate where there is none.
		ca, err := os.ReadFile(filepath.Join(server.Folder, "apiserver.crt"))
		if err != nil || len(ca) == 0 {
			continue
		}
		config := &rest.Config{
			Host:            fmt.Sprintf("https://127.0.0.1:%d", server.Port),
			BearerToken:     administrator,
			TLSClientConfig: rest.TLSClientConfig{CAData: ca},
			QPS:             1000,
			Burst:           10000,
		}
		if server.Unready || isReady(config) {
			return config, nil
		}
	}
}

func isReady(config *rest.Config) bool {
	client, err := kubernetes.NewForConfig(rest.CopyConfig(config))
	if err != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	status := 0
	client.CoreV1().RESTClient().Get().AbsPath("/healthz").Do(ctx).StatusCode(&status)
	if status != 200 {
		return false
	}
	_, err = client.CoreV1().Namespaces().Get(ctx, "default", metav1.GetOptions{})
	return err == nil
}
