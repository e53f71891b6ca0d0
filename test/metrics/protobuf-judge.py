"""Reads messages with Google's own library, by a .proto file that protoc has compiled.

Arguments: the folder of the compiled modules, a module and a message. Each line of standard input is a message: in
base64, or JSON where it begins with a brace. Each line that is printed is what was read, as JSON, with every double
also by its bits.
"""

import base64
import importlib
import json
import struct
import sys

from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor

sys.path.insert(0, sys.argv[1])
kind = getattr(importlib.import_module(sys.argv[2]), sys.argv[3])


def told(message):
    if message.UnknownFields():
        raise ValueError("a field that the definition does not have")
    found = {}
    for field, value in message.ListFields():
        one = single(field)
        many = field.label == FieldDescriptor.LABEL_REPEATED
        found[field.name] = [one(item) for item in value] if many else one(value)
    return found


def single(field):
    if field.type == FieldDescriptor.TYPE_MESSAGE:
        return told
    if field.type == FieldDescriptor.TYPE_DOUBLE:
        return lambda value: struct.pack(">d", value).hex()
    return lambda value: value if isinstance(value, (str, bool)) else str(value)


for line in sys.stdin:
    message = kind()
    if line.startswith("{"):
        json_format.Parse(line, message)
    else:
        message.ParseFromString(base64.b64decode(line))
    print(json.dumps(told(message)))
