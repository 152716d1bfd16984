"""Where examples come from: one module a data set."""
