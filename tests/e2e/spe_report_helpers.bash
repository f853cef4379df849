# SPDX-License-Identifier: MIT
# What the tests of pmuscope spe report have in common: a recording, and a program that it is of.

by="pc object data-source cacheline page data-symbol branch op thread cpu"

expected() {
	python3 "$SOURCE/tests/e2e/spe_report.py" "$@"
}

# recording NAME SEED COUNT CPUS: makes NAME, a perf.data, and NAME.0.json, NAME.1.json, ...
recording() {
	local parts=()
	for ((i = 0; i < $4; i++)); do
		parts+=("$1.$i")
	done
	expected make "$2" "$3" "${parts[@]}"
	"$SPE_FILE" "$1" "${parts[@]}"
}

setup_file() {
	cd "$BATS_FILE_TMPDIR"
	recording p.data 1 1500 2
	# A program at the addresses and with the build-id that spe_file gives it.
	mkdir -p root/nonexistent
	cat >walk.c <<-'C'
		struct node { struct node *next; long value; };
		volatile long sink;
		static inline __attribute__((always_inline)) long twice(long x) { return x * 2 + sink; }
		__attribute__((noinline)) long walk(struct node *n)
		{
			long sum = 0;
			for (; n; n = n->next) {
				sum += twice(n->value);
				sum ^= twice(sum);
				if (sum & 4)
					sum += sink * 3;
			}
			return sum;
		}
		__attribute__((noinline)) long with_a_name_that_is_too_long_for_the_last_column_of_any_table_there_is(long x)
		{
			while (x > 1)
				x = x / 3 + twice(x) % 5;
			return x;
		}
		__attribute__((noinline)) long fill(struct node *nodes, long n)
		{
			for (long i = 0; i < n; i++) {
				nodes[i].next = &nodes[i * 7 % n];
				nodes[i].value = twice(i) / 3;
			}
			sink = n;
			return walk(nodes) + with_a_name_that_is_too_long_for_the_last_column_of_any_table_there_is(n);
		}
		int main(int argc, char **argv)
		{
			(void)argv;
			struct node nodes[64];
			return (int)fill(nodes, argc);
		}
	C
	gcc -O2 -g -fno-align-functions -no-pie -Wl,--build-id=0xabcd"$(printf '0%.0s' {1..36})" -o root/nonexistent/sample \
		"$PWD/walk.c"
}

setup() {
	cd "$BATS_FILE_TMPDIR"
}

# rows EXPRESSION: the JSON report of standard input, each row as r.
rows() {
	python3 -c 'import json, sys
for r in json.load(sys.stdin)["rows"]:
    print('"$1"')'
}

# refused TEXT OPTION...: exit status 2, and a message with the text.
refused() {
	run --separate-stderr "$PMUSCOPE" spe report "${@:2}"
	[ "$status" -eq 2 ]
	[ -z "$output" ]
	[[ "$stderr" == "pmuscope: $1"* ]] || {
		echo "$stderr"
		return 1
	}
}
