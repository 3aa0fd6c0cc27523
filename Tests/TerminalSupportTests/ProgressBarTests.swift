import TerminalSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ProgressBarTests {
    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1.0 kB"), (1_549, "1.5 kB"), (999_999, "999.9 kB"),
        (1_000_000, "1.0 MB"), (100_000_000, "100.0 MB"), (Int.max, "9.2 EB"),
    ])
    func `amounts have a unit`(bytes: Int, text: String) {
        #expect(ProgressBar.amount(bytes) == text)
    }

    @Test(arguments: [(0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (10_229, "10.2 kB (10229 bytes)")])
    func `an exact amount adds the number if the amount is rounded`(bytes: Int, text: String) {
        #expect(ProgressBar.exactAmount(bytes) == text)
    }

    @Test func `a bar needs a total, and an amount is shown without one`() {
        #expect(
            ProgressBar.line(done: 5_000_000, total: 10_000_000, width: 44)
                == "[########         ]  50 %  5.0 MB of 10.0 MB")
        #expect(ProgressBar.line(done: 5_000_000, total: nil, width: 40) == "5.0 MB so far")
        #expect(ProgressBar.line(done: 0, total: 0, width: 40) == "0 bytes so far")
    }

    @Test func `no line exceeds its width`() {
        for width in -5...120 {
            for (done, total) in [(0, 10), (10, 10), (20, 10), (Int.max, Int.max), (-1, 10), (3, nil as Int?)] {
                #expect(ProgressBar.line(done: done, total: total, width: width).count <= max(0, width))
            }
        }
    }
}
