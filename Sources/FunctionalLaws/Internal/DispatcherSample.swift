import PropertyTesting

/// What a law of dispatchers is tried on.
struct DispatcherSample: Sendable, CustomStringConvertible {
    var f: WorkflowPlan
    var g: WorkflowPlan
    var h: WorkflowPlan
    var change: ChangePlan
    var one: ActionPlan
    var setting: DispatcherSetting
    /// Another environment.
    var otherNumber: Int

    static let gen = Gen.zip(
        WorkflowPlan.gen, WorkflowPlan.gen, WorkflowPlan.gen, ChangePlan.gen, ActionPlan.gen, DispatcherSetting.gen,
        Gen.int(in: 0...9)
    )
    .map { DispatcherSample(f: $0, g: $1, h: $2, change: $3, one: $4, setting: $5, otherNumber: $6) }

    var description: String {
        """
        f: \(f), g: \(g), h: \(h), change: \(change), action: \(one), input: \(described(setting.grandInput)), \
        \(described(setting.parentInput)) or \(described(setting.childInput)), state: \(described(setting.state)), \
        environment: \(setting.number), \(setting.extra) or \(otherNumber)
        """
    }
}
