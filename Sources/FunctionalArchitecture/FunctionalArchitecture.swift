// One import for files that hold logic: this module re-exports the five product modules, and nothing else.

@_exported public import Dispatcher
@_exported public import Effects
@_exported public import FunctionalCore
@_exported public import Loop
@_exported public import Optics
