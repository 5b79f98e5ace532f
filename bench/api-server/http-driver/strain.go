package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// strain is a request that is as expensive to check as Kubernetes lets it be. The definition is
// installed first; then its objects are sent again and again.
type strain struct {
	definition definition
	// spec is the spec of object number i; no two are equal, so that no server can answer from memory.
	spec func(i int) string
	// isApplied: applied to one object, and stored each time. Otherwise it is a dry run, which is
	// checked just the same and fills no disk.
	isApplied bool
	// writesDefinition: what is sent is the definition itself, each time a little different.
	writesDefinition bool
}

const (
	// loopItems: a loop within a loop over so many costs just under a million at run time, which is what
	// one rule may; celRules of them use the budget of an object up.
	loopItems = 330
	celRules  = 12
	// longText fits with everything around it into an object that a store takes.
	longText  = 1_000_000
	largeSize = 1 << 20
)

var strains = map[string]func() strain{
	// Rules that loop within loops until the budget is gone.
	"cel-loops": func() strain {
		rules := repeatRule(celRules, "self.items.all(a, self.items.all(b, a <= b || b <= a + %d))")
		schema := fmt.Sprintf(`{"type":"object","properties":{"items":{"type":"array","maxItems":%d,"items":{"type":"integer"}}},"x-kubernetes-validations":[%s]}`, loopItems, rules)
		items := strings.Repeat(",7", loopItems-1)
		return strain{definition: strainDefinition("loops", schema), spec: func(i int) string { return fmt.Sprintf(`{"items":[%d%s]}`, 7-i, items) }}
	},
	// Rules that search long texts that they put together first.
	"cel-text": func() strain {
		rules := repeatRule(celRules/2, "self.text.matches('^((a|b)+|[x-z]|(cd|ef)+|[%d])+$')") + "," +
			repeatRule(celRules/2, "self.names.all(n, !(n + self.text + n).contains('zzzzzzzz%d'))")
		schema := fmt.Sprintf(`{"type":"object","properties":{"text":{"type":"string","maxLength":%d},`+
			`"names":{"type":"array","maxItems":8,"items":{"type":"string","maxLength":20}}},"x-kubernetes-validations":[%s]}`, longText, rules)
		return strain{
			definition: strainDefinition("texts", schema),
			spec:       func(i int) string { return text("ab", longText/2-50, i, "") + `,"names":["a","b"]}` },
		}
	},
	// A pattern that costs a backtracking engine 2^n; the text does not match at its very end.
	"pattern": func() strain {
		return strain{definition: patternDefinition("patterns", "^(a+)+$"), spec: func(i int) string { return text("a", longText, i, "!") + "}" }}
	},
	// A counted repetition: an automaton of hundreds of states, on a text in which it is in a different set of
	// them at every place, so that remembering sets does not help, and matches only almost.
	"counted-pattern": func() strain {
		letters := strings.NewReplacer(randomPairs()...).Replace(filler)
		return strain{
			definition: patternDefinition("counts", "[ab]*a[ab]{300}c$"),
			spec:       func(i int) string { return `{"text":"` + letters[i%97:len(letters)-97] + `cd"}` },
		}
	},
	// The same on a text as long as one can be.
	"counted-pattern-long": func() strain {
		letters := longLetters()
		return strain{
			definition: patternDefinition("longcounts", "[ab]*a[ab]{300}c$"),
			spec:       func(i int) string { return `{"text":"` + letters[i%97:len(letters)-97] + `cd"}` },
		}
	},
	// Many texts, none of which takes long by itself.
	"counted-patterns": func() strain {
		schema := `{"type":"object","additionalProperties":{"type":"string","pattern":"[ab]*a[ab]{300}c$"}}`
		letters := longLetters()
		return strain{definition: strainDefinition("manycounts", schema), spec: func(i int) string {
			var texts []string
			for n := range 400 {
				texts = append(texts, fmt.Sprintf(`"text-%d":"%s"`, n, letters[n*600+i%97:n*600+i%97+600]))
			}
			return "{" + strings.Join(texts, ",") + "}"
		}}
	},
	// The functions of CEL that walk through texts, each on one of 1 MB.
	"cel-functions": func() strain {
		const self = "self.text"
		var rules []string
		for _, rule := range []string{
			self + ".replace('a', 'cc').size() > 0", self + ".split('b').size() > 0", self + ".findAll('(a|b)').size() > 0",
			self + ".find('[ab]*a[ab]{30}c') == ''", "'%s %x'.format([[" + self + "], " + self + "]).size() > 0",
			"strings.quote(" + self + ").lowerAscii().size() > 0", self + ".split('').size() > 0",
			self + ".lastIndexOf(" + self + ".substring(0, 5000) + 'c') == -1", "matches(" + self + ", '[ab]*a[ab]{30}c') == false",
		} {
			rules = append(rules, fmt.Sprintf(`{"rule":"%s"}`, rule))
		}
		schema := fmt.Sprintf(`{"type":"object","properties":{"text":{"type":"string","maxLength":%d}},"x-kubernetes-validations":[%s]}`, longText, strings.Join(rules, ","))
		return strain{definition: strainDefinition("functions", schema), spec: func(i int) string { return text("ab", longText/2-50, i, "") + "}" }}
	},
	// Values beyond counting: an enumeration, a set, a list of maps with two keys, a rule for each.
	"many-values": func() strain {
		var members []string
		for n := range 1000 {
			members = append(members, fmt.Sprintf(`"member-%d"`, n))
		}
		schema := `{"type":"object","properties":{"members":{"type":"array","items":{"type":"string","enum":[` + strings.Join(members, ",") + `]}},` +
			`"set":{"type":"array","maxItems":30000,"x-kubernetes-list-type":"set","items":{"type":"integer","x-kubernetes-validations":[{"rule":"self >= 0"}]}},` +
			`"pairs":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a","b"],"items":{"type":"object","required":["a","b"],"properties":{"a":{"type":"string"},"b":{"type":"integer"}}}}}}`
		return strain{definition: strainDefinition("values", schema), spec: manyValues}
	},
	// A custom resource as large as a store takes, applied.
	"large-object": func() strain {
		schema := `{"type":"object","properties":{"settings":{"type":"object","additionalProperties":{"type":"string","maxLength":200,"pattern":"^[A-Za-z0-9+/]*$"}},` +
			`"entries":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],"items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"value":{"type":"string"}}}}}}`
		return strain{definition: strainDefinition("larges", schema), isApplied: true, spec: largeSpec}
	},
	"large-definition": func() strain {
		return strain{writesDefinition: true, isApplied: true, definition: strainDefinition("definitions", largeSchema(largeSize))}
	},
}

// longLetters are a and b in no order, as many as fit.
func longLetters() string {
	letters := make([]byte, 900_000)
	state := uint32(1)
	for n := range letters {
		state = state*1_103_515_245 + 12_345
		letters[n] = "ab"[state>>16&1]
	}
	return string(letters)
}

// manyValues is about 800 KB.
func manyValues(i int) string {
	var members, set, pairs []string
	for n := range 20_000 {
		members = append(members, fmt.Sprintf(`"member-%d"`, (n+i)%1000))
	}
	for n := range 20_000 {
		set = append(set, fmt.Sprint(n))
	}
	for n := range 12_000 {
		pairs = append(pairs, fmt.Sprintf(`{"a":"pair-%d","b":%d}`, n/2, n%2))
	}
	return `{"members":[` + strings.Join(members, ",") + `],"set":[` + strings.Join(set, ",") + `],"pairs":[` + strings.Join(pairs, ",") + `]}`
}

// randomPairs replaces every letter of the filler by a or b.
func randomPairs() []string {
	var pairs []string
	for code := range 128 {
		pairs = append(pairs, string(rune(code)), string("ab"[code%2]))
	}
	return pairs
}

func strainNames() []string {
	names := make([]string, 0, len(strains))
	for name := range strains {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// text opens a spec whose text is the piece again and again, i%97 times more.
func text(piece string, times, i int, end string) string {
	return `{"text":"` + strings.Repeat(piece, times-97+i%97) + end + `"`
}

// repeatRule makes rules that differ in a number only.
func repeatRule(count int, format string) string {
	rules := make([]string, count)
	for i := range rules {
		rules[i] = fmt.Sprintf(`{"rule":"%s"}`, fmt.Sprintf(format, i))
	}
	return strings.Join(rules, ",")
}

func patternDefinition(plural, pattern string) definition {
	return strainDefinition(plural, fmt.Sprintf(`{"type":"object","properties":{"text":{"type":"string","pattern":"%s"}}}`, pattern))
}

func strainDefinition(plural, specSchema string) definition {
	if !strings.HasPrefix(specSchema, `{"type":"object","properties":{"spec":`) {
		specSchema = `{"type":"object","properties":{"spec":` + specSchema + `}}`
	}
	return definition{group: "strain." + benchGroup, plural: plural, kind: "Strain" + strings.TrimSuffix(plural, "s"), schema: specSchema}
}

// largeSpec is about 800 KB: with its managedFields it stays below what etcd takes.
func largeSpec(i int) string {
	var settings, entries []string
	for n := range 3000 {
		settings = append(settings, fmt.Sprintf(`"setting-%d":"%s"`, n, payload(n, uint32(i), 100)))
	}
	for n := range 2000 {
		entries = append(entries, fmt.Sprintf(`{"name":"entry-%d","value":"%s"}`, n, payload(n, uint32(i), 100)))
	}
	return `{"settings":{` + strings.Join(settings, ",") + `},"entries":[` + strings.Join(entries, ",") + `]}`
}

// request is the i-th request: method, path and body.
func (s strain) request(namespace string, i int) (method, path string, body []byte) {
	const force = "&force=true"
	d := s.definition
	if s.writesDefinition {
		changed := d
		changed.extra = fmt.Sprintf(`,"additionalPrinterColumns":[{"name":"N%d","type":"string","jsonPath":".spec.mark"}]`, i)
		return http.MethodPatch, definitionsPath + "/" + d.name() + applyQuery + force, changed.body()
	}
	body = fmt.Appendf(nil, `{"apiVersion":"%s/v1","kind":"%s","metadata":{"name":"%s"},"spec":%s}`,
		d.group, d.kind, objectName(0), s.spec(i))
	if s.isApplied {
		return http.MethodPatch, d.collection(namespace) + "/" + objectName(0) + applyQuery + force, body
	}
	return http.MethodPost, d.collection(namespace) + "?dryRun=All", body
}

// prepareStrain installs what the strain needs.
func (t *target) prepareStrain(ctx context.Context, s strain) error {
	if err := t.prepareNamespace(ctx); err != nil {
		return err
	}
	return t.install(ctx, s.definition)
}

// strainLoop prepares a strain and sends one request of it at each call; note hears the code of the
// answer and how long it took.
func strainLoop(ctx context.Context, settings common, s strain, note func(code string, took time.Duration)) (func(context.Context, *target) error, error) {
	preparing, err := connect(settings)
	if err != nil {
		return nil, err
	}
	if err := preparing.prepareStrain(ctx, s); err != nil {
		return nil, err
	}
	sent := 0
	return func(ctx context.Context, t *target) error {
		method, path, body := s.request(t.namespace, sent)
		sent++
		begin := time.Now()
		code := http.StatusOK
		_, err := t.send(ctx, method, path, body)
		var refused *statusError
		if errors.As(err, &refused) {
			code, err = refused.code, nil
		}
		if err == nil {
			note(fmt.Sprint(code), time.Since(begin))
		}
		return err
	}, nil
}
