// A stand-in for AppKit: what the documentation uses of it. See README.md in this folder.

// unverified: that AppKit exports this.
@_exported public import Foundation

// documentation/appkit/nsresponder
@MainActor
open class NSResponder {
    // unverified
    public init() {}

    // unverified
    public required init?(coder: NSCoder) {}
}

// documentation/appkit/nsviewcontroller. Its page shows no isolation: it has that of NSResponder.
open class NSViewController: NSResponder {
    // documentation/appkit/nsviewcontroller/init(nibname:bundle:)
    public init(nibName nibNameOrNil: NSNib.Name?, bundle nibBundleOrNil: Bundle?) { super.init() }

    // unverified
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    // documentation/appkit/nsviewcontroller/view
    open var view: NSView {
        get { fatalError() }
        set {}
    }

    // unverified
    open func loadView() {}

    // documentation/appkit/nsviewcontroller/viewdidload()
    open func viewDidLoad() {}

    // unverified
    open func viewWillAppear() {}

    // unverified
    open func viewDidDisappear() {}
}

// documentation/appkit/nsviewcontroller/nibname
public enum NSNib {
    // unverified
    public typealias Name = String
}

// documentation/appkit/nsresponder says that NSView inherits from it.
open class NSView: NSResponder {}

// unverified
open class NSStackView: NSView {
    // documentation/appkit/nsstackview/init(views:)
    public convenience init(views: [NSView]) { self.init() }
}

// unverified
open class NSTextField: NSView {
    // documentation/appkit/nstextfield/init(labelwithstring:)
    public convenience init(labelWithString stringValue: String) { self.init() }

    // unverified: a property of NSControl
    open var stringValue: String {
        get { fatalError() }
        set {}
    }
}
