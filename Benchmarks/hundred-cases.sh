#!/bin/sh
# Prints the enum of a hundred cases: sh Benchmarks/hundred-cases.sh > Benchmarks/Sources/Benchmarks/Rows/HundredCases.swift
cat <<'HEAD'
// Printed by hundred-cases.sh.

import Optics

/// As many cases as there are screens in a large application.
enum Hundred: AutoPrism, Sendable {
HEAD
for n in $(seq 0 99); do echo "    case c$n(Int)"; done
cat <<'MIDDLE'
}

extension Hundred {
    static let casePrisms: [Prism<Hundred, Int>] = [
MIDDLE
for n in $(seq 0 99); do echo "        prism(for: Hundred.c$n),"; done
cat <<'MIDDLE'
    ]

    static let closurePrisms: [Prism<Hundred, Int>] = [
MIDDLE
for n in $(seq 0 99); do echo "        Prism(Hundred.c$n) { if case .c$n(let number) = \$0 { number } else { nil } },"; done
cat <<'TAIL'
    ]

    static let constructors: [@Sendable (Int) -> Hundred] = [
TAIL
for n in $(seq 0 99); do echo "        Hundred.c$n,"; done
cat <<'TAIL'
    ]
}
TAIL
