// A stand-in for AppKit: what the documentation uses of it. See README.md in this folder.

// unverified: that AppKit exports this.
@_exported public import Foundation

// documentation/appkit/nsviewcontroller. Its isolation to the main actor is unverified.
@MainActor
open class NSViewController {
    // documentation/appkit/nsviewcontroller/init(nibname:bundle:)
    public init(nibName nibNameOrNil: NSNib.Name?, bundle nibBundleOrNil: Bundle?) {}

    // unverified
    public required init?(coder: NSCoder) {}

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

// unverified
@MainActor
open class NSView {
    // unverified
    public init() {}
}

// documentation/appkit/nsstackview/init(views:)
@MainActor
open class NSStackView: NSView {
    public convenience init(views: [NSView]) { self.init() }
}

// unverified
@MainActor
open class NSTextField: NSView {
    // documentation/appkit/nstextfield/init(labelwithstring:)
    public convenience init(labelWithString stringValue: String) { self.init() }

    // unverified: a property of NSControl
    open var stringValue: String {
        get { fatalError() }
        set {}
    }
}
