// A stand-in for UIKit: what the documentation uses of it. See README.md in this folder.

// unverified: that UIKit exports this.
@_exported public import Foundation

// documentation/objectivec/selector. The original is declared in ObjectiveC, which Foundation and UIKit export (unverified). The
// library has a type of the same name, in Effects.
public struct Selector {}

// documentation/uikit/uiviewcontroller
@MainActor
open class UIViewController {
    // documentation/uikit/uiviewcontroller/init(nibname:bundle:)
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {}

    // unverified
    public required init?(coder: NSCoder) {}

    // documentation/uikit/uiviewcontroller/view
    open var view: UIView! {
        get { fatalError() }
        set {}
    }

    // unverified
    open var title: String?

    // unverified
    open func viewDidLoad() {}

    // documentation/uikit/uiviewcontroller/viewwillappear(_:)
    open func viewWillAppear(_ animated: Bool) {}

    // documentation/uikit/uiviewcontroller/viewdiddisappear(_:)
    open func viewDidDisappear(_ animated: Bool) {}
}

// unverified
@MainActor
open class UIView {
    // unverified
    public init() {}

    // unverified
    open func addSubview(_ view: UIView) {}
}

// unverified
@MainActor
open class UILabel: UIView {
    // unverified
    open var text: String?
}

// documentation/uikit/uiaction
@MainActor
public class UIAction {
    // documentation/uikit/uiaction/init(title:image:identifier:discoverabilitytitle:attributes:state:handler:), of whose parameters
    // this has two.
    @MainActor @preconcurrency
    public convenience init(title: String = "", handler: @escaping UIActionHandler) { fatalError() }
}

// unverified. Without isolation, which is the stricter of the two for code that forms a handler.
public typealias UIActionHandler = (UIAction) -> Void

// unverified
@MainActor
open class UIButton: UIView {
    // documentation/uikit/uibutton/init(type:primaryaction:)
    public enum ButtonType: Sendable { case system }

    // documentation/uikit/uibutton/init(type:primaryaction:)
    @MainActor @preconcurrency
    public convenience init(type buttonType: ButtonType = .system, primaryAction: UIAction?) { self.init() }
}
