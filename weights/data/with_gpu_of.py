#!/usr/bin/env python3
"""Gives samples the device model of others, so that a network can be trained from both.

usage: with_gpu_of.py NEWEST.samples FOLDER...

Writes the `gpu` of the origin of NEWEST.samples into that of every *.samples in the folders, in
place; features and times stay as they are. For copies: what a feature says of the device, such as
how much is read from DRAM, is still reckoned with the model that was there before.
"""

import json
import pathlib
import struct
import sys

MASK = 2**64 - 1
INCREMENT = 0x9E3779B97F4A7C15
HEADER = 16  # bytes of a file before its first record
LENGTH, CHECKSUM = 8, 8  # bytes before and after a record's payload


def mix(x):
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


def hashed(words):
    """The hash of include/autoschedule_gpu/hash.h."""
    state = mix(INCREMENT)
    for word in words:
        state = mix(state ^ mix(word + INCREMENT & MASK)) + INCREMENT & MASK
    return mix(state)


def first_payload(data):
    length, = struct.unpack_from("<I", data, HEADER)
    return data[HEADER + LENGTH:HEADER + LENGTH + length]


def first_record(payload):
    words = struct.unpack(f"<{(len(payload) + 7) // 8}Q", payload + bytes(-len(payload) % 8))
    check = hashed([0, len(payload)]) & 0xFFFFFFFF
    checksum = struct.pack("<Q", hashed([0, len(payload), *words]))
    return struct.pack("<II", len(payload), check) + payload + checksum


if len(sys.argv) < 3:
    sys.exit(__doc__)
newest, *folders = map(pathlib.Path, sys.argv[1:])
gpu = json.loads(first_payload(newest.read_bytes()))["gpu"]
for path in [path for folder in folders for path in sorted(folder.rglob("*.samples"))]:
    data = path.read_bytes()
    old = first_payload(data)
    new = json.dumps(json.loads(old) | {"gpu": gpu}).encode()
    records = data[HEADER + LENGTH + len(old) + CHECKSUM:]
    path.write_bytes(data[:HEADER] + first_record(new) + records)
