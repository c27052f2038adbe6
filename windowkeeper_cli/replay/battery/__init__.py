"""The battery: a strategy on transcripts drawn from a seed, what it breaks, and the smallest that shows each."""
