"""What does a pair of bytes cost? The weights of the `estimate` counter, in 1/64 token.

Data: the texts of 49 real agent logs (16 million characters: messages, reasoning, tool arguments, tool results; a
text once) and, at a fifth of their weight, manual pages in 11 languages and the translations of one web framework
into 95. Truth: o200k_base. Texts of 50 tokens and more: 6,321 and 1,130.
Method: least absolute relative error by reweighted least squares, no weight below 2.5/64 before rounding, each
pulled a little to the mean of its second byte's class. Logs were split in halves, a session in one half.
Error (median, 95th percentile, total) fitted on a half: 2.8%, 10.6%, +0.3% and 2.9%, 10.1%, +0.3%; on the other
half, held out: 3.2%, 11.5%, +0.4% and 3.3%, 12.0%, +0.5%; other languages held out: 8.0%, 25.1%, -3.4% and 7.4%,
24.3%, -3.5%. The weights below are fitted on both halves: 3.0%, 10.8%, +0.2%. `tests/bench/fit_estimate.py` makes
them. Random base64 is the worst case known: a quarter too low.
"""

from __future__ import annotations

UNIT = 64

WEIGHTS: tuple[tuple[int, ...], ...] = (
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    (5, 8, 8, 41, 88, 59, 208, 76, 80, 134, 5, 228, 38, 43, 96, 255),
    (5, 10, 13, 56, 143, 46, 155, 69, 53, 76, 5, 171, 23, 44, 97, 255),
    (5, 38, 27, 32, 137, 36, 84, 46, 76, 83, 5, 210, 43, 87, 99, 255),
    (5, 86, 133, 81, 47, 87, 110, 101, 45, 76, 5, 232, 43, 165, 85, 255),
    (2, 36, 45, 48, 181, 2, 157, 91, 90, 80, 5, 187, 2, 81, 99, 255),
    (5, 78, 73, 151, 69, 61, 17, 74, 117, 97, 5, 214, 147, 69, 105, 255),
    (2, 94, 75, 61, 133, 61, 59, 2, 89, 53, 5, 235, 53, 34, 99, 255),
    (5, 69, 82, 36, 82, 86, 84, 60, 60, 36, 5, 231, 51, 43, 100, 255),
    (5, 108, 104, 92, 135, 79, 53, 54, 63, 20, 5, 232, 53, 40, 106, 255),
    (2, 13, 2, 39, 116, 55, 77, 44, 76, 72, 4, 160, 21, 2, 85, 255),
    (2, 54, 59, 52, 124, 60, 84, 64, 76, 76, 2, 221, 43, 44, 99, 255),
    (20, 54, 59, 52, 124, 60, 84, 64, 76, 76, 20, 221, 43, 44, 99, 255),
    (9, 54, 59, 52, 124, 60, 84, 64, 76, 76, 9, 221, 43, 44, 99, 255),
    (7, 54, 59, 52, 124, 60, 84, 64, 76, 76, 7, 221, 43, 44, 99, 255),
    (2, 54, 59, 52, 124, 60, 84, 64, 76, 76, 2, 221, 43, 44, 99, 255),
)
"""`WEIGHTS[class of the first byte][class of the second]`, numbers as in `byte_classes`.

Column 0 is a byte alone, at the end of a text: the least of its pairs, so that one more byte never makes it less.
"""
