extension Mobius.Builder { package func withExecutor(_ e: any TaskExecutor) -> Self { self } }
