/// Memory for one value that is filled with ones before the fields are written. The padding keeps the ones.
///
/// Unspecialized generic code copies the bytes of a trivial value, including the ones in the padding.
///
/// Unchecked: only the test that created it reads and writes it.
final class DirtyMemory<Value>: @unchecked Sendable {
    private let address: UnsafeMutablePointer<Value>

    /// Fills the memory with ones and calls `initialize` to write the value.
    init(_ initialize: (UnsafeMutablePointer<Value>) -> Void) {
        let size = max(1, MemoryLayout<Value>.stride)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: MemoryLayout<Value>.alignment)
        memory.initializeMemory(as: UInt8.self, repeating: 0xFF, count: size)
        address = memory.bindMemory(to: Value.self, capacity: 1)
        initialize(address)
    }

    deinit {
        address.deinitialize(count: 1)
        UnsafeMutableRawPointer(address).deallocate()
    }

    /// A copy of the value. In unspecialized code its padding is copied, too.
    var value: Value { address.pointee }
}

/// Fills the part of the stack that the next calls use with ones.
@inline(never)
func dirtyStack() {
    let ones = InlineArray<400, Int>(repeating: -1)
    withExtendedLifetime(ones) { _ = ones[ones.count - 1] }
}
