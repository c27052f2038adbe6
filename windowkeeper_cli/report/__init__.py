"""Results made into sheets and documents; no colour, no width, no printing."""
