"""The command line: one command a module; the only place that prints and reads the environment."""
