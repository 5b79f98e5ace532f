package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"flag"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// certificatesMode writes ca, server, client and user, each as .crt and .key: for a server that makes none
// itself. The client is a member of system:masters; the user is not, and may do what roles say.
func certificatesMode(_ context.Context, args []string) (any, error) {
	flags := flag.NewFlagSet("http-driver certificates", flag.ContinueOnError)
	folder := flags.String("out", ".", "`FOLDER` to write to")
	if err := flags.Parse(args); err != nil {
		return nil, errUsage
	}
	// By this the certificates say who signed them: all authorities of this driver have the same name.
	authorityID := make([]byte, 20)
	if _, err := rand.Read(authorityID); err != nil {
		return nil, err
	}
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "bench-ca"}, SubjectKeyId: authorityID,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(1, 0, 0),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	authorityKey, err := issue(*folder, "ca", authority, authority, nil)
	if err != nil {
		return nil, err
	}
	server := leaf(2, pkix.Name{CommonName: "bench-server"}, x509.ExtKeyUsageServerAuth)
	server.DNSNames, server.IPAddresses = []string{"localhost"}, []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	if _, err := issue(*folder, "server", server, authority, authorityKey); err != nil {
		return nil, err
	}
	client := leaf(3, pkix.Name{CommonName: "admin", Organization: []string{"system:masters"}}, x509.ExtKeyUsageClientAuth)
	if _, err := issue(*folder, "client", client, authority, authorityKey); err != nil {
		return nil, err
	}
	user := leaf(4, pkix.Name{CommonName: "bench", Organization: []string{"benchmarks"}}, x509.ExtKeyUsageClientAuth)
	if _, err := issue(*folder, "user", user, authority, authorityKey); err != nil {
		return nil, err
	}
	return map[string]string{"folder": *folder}, nil
}

func leaf(serial int64, subject pkix.Name, use x509.ExtKeyUsage) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: subject,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(1, 0, 0),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{use},
	}
}

// issue writes NAME.crt and NAME.key; without a parent's key the certificate signs itself.
func issue(folder, name string, template, parent *x509.Certificate, parentKey *ecdsa.PrivateKey) (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	if parentKey == nil {
		parentKey = key
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, parentKey)
	if err != nil {
		return nil, fmt.Errorf("certificate %s: %w", name, err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	for suffix, block := range map[string]*pem.Block{
		"crt": {Type: "CERTIFICATE", Bytes: certificate},
		"key": {Type: "PRIVATE KEY", Bytes: private},
	} {
		file := filepath.Join(folder, name+"."+suffix)
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			return nil, err
		}
	}
	return key, nil
}
