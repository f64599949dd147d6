# SPDX-License-Identifier: BSD-3-Clause
# What tests of JSON documents share: a validator takes seconds for a thousand values that differ in
# their numbers alone, so one of each shape goes through it.
import functools, re


# With zeros for digits; of identifiers the length.
@functools.lru_cache(None)
def shape_of_text(text):
    if re.fullmatch("[0-9a-f]*[0-9][0-9a-f]*", text):
        return len(text)
    return re.sub("[0-9]", "0", text)


# Equal where a schema sees no difference: names and types, words without their numbers, signs, and
# on which side of 1 a number is.
def shape(value):
    if isinstance(value, dict):
        return tuple([(key, shape(item)) for key, item in value.items()])
    if isinstance(value, list):
        return frozenset(map(shape, value))
    if isinstance(value, str):
        return shape_of_text(value)
    if value is None:
        return None
    return type(value), (value > 0) - (value < 0), value > 1
