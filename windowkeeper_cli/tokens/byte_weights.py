"""What does a pair of neighbouring bytes cost? The weights of the `estimate` counter, in 1/128 token.

Data: the texts of 49 real agent logs (16 million characters: messages, reasoning, tool arguments, tool results; a
text once) and, at a fifth of their weight, manual pages in 11 languages and the translations of one web framework
into 95. Truth: o200k_base. Texts of 50 tokens and more: 6,321 and 1,130.
Method: least absolute relative error by reweighted least squares, no weight below 2/128, each pulled a little to
the mean of its second byte's class. Logs were split in halves, a session in one half.
Error (median, 95th percentile, total) fitted on a half: 2.3%, 9.1%, 0.0% and 2.4%, 9.1%, 0.0%; on the other half,
held out: 2.7%, 10.0%, 0.0% and 3.1%, 10.6%, +0.3%; other languages held out: 7.7%, 24.7%, -3.7% and 7.2%, 25.1%,
-4.2%. The weights below are fitted on both halves: 2.5%, 9.4%, -0.4%. `tests/bench/fit_estimate.py` makes them.
"""

from __future__ import annotations

UNIT = 128

START = 6
"""The class that stands before a text's first byte: a text begins as if on a new line."""

WEIGHTS: tuple[tuple[int, ...], ...] = (
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    (0, 14, 2, 57, 127, 52, 227, 67, 69, 186, 3, 236, 38, 45, 98, 255),
    (0, 9, 14, 66, 159, 38, 173, 57, 33, 101, 3, 187, 26, 58, 100, 255),
    (0, 41, 20, 34, 170, 22, 95, 45, 67, 87, 3, 233, 44, 90, 101, 255),
    (0, 51, 132, 81, 37, 26, 69, 66, 34, 75, 3, 238, 49, 128, 89, 255),
    (0, 55, 56, 62, 254, 2, 159, 106, 126, 114, 3, 196, 2, 93, 102, 255),
    (0, 71, 78, 113, 110, 53, 18, 74, 111, 126, 3, 229, 151, 57, 101, 255),
    (0, 124, 88, 69, 175, 45, 91, 3, 108, 71, 3, 240, 56, 38, 101, 255),
    (0, 106, 103, 28, 91, 57, 69, 56, 50, 57, 3, 235, 53, 46, 101, 255),
    (0, 83, 71, 84, 146, 34, 29, 13, 44, 15, 3, 235, 52, 42, 108, 255),
    (0, 7, 2, 46, 124, 52, 81, 47, 75, 91, 4, 171, 43, 2, 81, 255),
    (0, 53, 64, 64, 137, 42, 86, 56, 68, 89, 2, 234, 47, 51, 101, 255),
    (0, 53, 64, 64, 137, 42, 86, 56, 68, 89, 2, 234, 47, 51, 101, 255),
    (0, 53, 64, 64, 137, 42, 86, 56, 68, 89, 8, 234, 47, 51, 101, 255),
    (0, 53, 64, 64, 137, 42, 86, 56, 68, 89, 10, 234, 47, 51, 101, 255),
    (0, 53, 64, 64, 137, 42, 86, 56, 68, 89, 2, 234, 47, 51, 101, 255),
)
"""`WEIGHTS[class of the byte before][class of the byte]`; class numbers as in `byte_classes`."""
