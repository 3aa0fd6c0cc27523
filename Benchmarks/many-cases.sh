#!/bin/sh
# Prints the enum of 128 cases: sh Benchmarks/many-cases.sh > Benchmarks/Sources/Benchmarks/Rows/Many.swift
# `rows FORMAT` prints the format for each case, eight to a line.
rows() {
    for row in $(seq 0 8 120); do
        printf '%s' "$2"
        for n in $(seq "$row" $((row + 7))); do
            # shellcheck disable=SC2059
            printf "$1" "$n"
            [ "$n" = $((row + 7)) ] || printf ', '
        done
        printf '%s\n' "$3"
    done
}
cat <<'HEAD'
// Printed by many-cases.sh.

import Optics

/// As many cases as there are screens in a large application.
enum Many: AutoPrism, Sendable {
HEAD
rows 'c%d(Int)' '    case '
cat <<'MIDDLE'
}

extension Many {
    static let constructors: [@Sendable (Int) -> Many] = [
MIDDLE
rows 'Many.c%d' '        ' ','
cat <<'MIDDLE'
    ]

    static let casePrisms: [Prism<Many, Int>] = constructors.map { constructor in prism(for: constructor) }

    static let closurePrisms: [Prism<Many, Int>] = [
MIDDLE
for n in $(seq 0 127); do echo "        Prism(Many.c$n) { if case .c$n(let number) = \$0 { number } else { nil } },"; done
cat <<'TAIL'
    ]
}
TAIL
