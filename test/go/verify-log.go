// Verifies what Placard's transparency log says with the packages of Go's checksum database, which know nothing of Placard.
// Reads one JSON document from its input and prints a line for each fault; without a fault it prints "ok".
package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type inclusion struct {
	Checkpoint string
	EventHash  string `json:"event_hash"`
	Index      int64
	Hashes     []tlog.Hash
}

type consistency struct {
	First  string
	Second string
	Hashes []tlog.Hash
}

type document struct {
	Keys        []string
	Inclusion   []inclusion
	Consistency []consistency
}

func open(text string, verifiers note.Verifiers) (tlog.Tree, error) {
	opened, err := note.Open([]byte(text), verifiers)
	if err != nil {
		return tlog.Tree{}, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != opened.Sigs[0].Name {
		return tlog.Tree{}, fmt.Errorf("not a checkpoint: %q", opened.Text)
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return tlog.Tree{}, err
	}
	root, err := tlog.ParseHash(lines[2])
	return tlog.Tree{N: size, Hash: root}, err
}

func run() []error {
	var said document
	if err := json.NewDecoder(os.Stdin).Decode(&said); err != nil {
		return []error{err}
	}
	var keys []note.Verifier
	for _, text := range said.Keys {
		key, err := note.NewVerifier(text)
		if err != nil {
			return []error{err}
		}
		keys = append(keys, key)
	}
	verifiers := note.VerifierList(keys...)
	var faults []error
	for i, one := range said.Inclusion {
		tree, err := open(one.Checkpoint, verifiers)
		if err == nil {
			var entry []byte
			if entry, err = hex.DecodeString(one.EventHash); err == nil {
				err = tlog.CheckRecord(one.Hashes, tree.N, tree.Hash, one.Index, tlog.RecordHash(entry))
			}
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("inclusion %d: %v", i, err))
		}
	}
	for i, one := range said.Consistency {
		first, err := open(one.First, verifiers)
		if err == nil {
			var second tlog.Tree
			if second, err = open(one.Second, verifiers); err == nil {
				err = tlog.CheckTree(one.Hashes, second.N, second.Hash, first.N, first.Hash)
			}
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("consistency %d: %v", i, err))
		}
	}
	return faults
}

func main() {
	faults := run()
	for _, fault := range faults {
		fmt.Println(fault)
	}
	if len(faults) == 0 {
		fmt.Println("ok")
	}
}
