# SPDX-License-Identifier: BSD-3-Clause
# valid.py SCHEMA FILE...: whether each file is one JSON value as the schema has it, without a key
# that comes twice. Prints what is wrong; the exit status is 1 then.
import json
import sys

import jsonschema


def once(pairs):
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), f"a key comes twice: {keys}"
    return dict(pairs)


with open(sys.argv[1]) as file:
    schema = json.load(file)
# Debian 11 and older know draft 7 at most, which has all that is used here but the place of definitions.
Validator = getattr(jsonschema, "Draft202012Validator", jsonschema.Draft7Validator)
Validator.check_schema(schema)
status = 0
for name in sys.argv[2:]:
    with open(name) as file:
        value = json.load(file, object_pairs_hook=once)
    for error in Validator(schema).iter_errors(value):
        print(f"{name}: {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")
        status = 1
sys.exit(status)
