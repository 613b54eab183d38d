#!/usr/bin/env python3
"""Reads revisions out of a vault in a directory, without Palisade: for an emergency, and as proof that vault.md suffices.

    read-vault.py FOLDER (--key-file FILE | --passphrase) list
    read-vault.py FOLDER (--key-file FILE | --passphrase) [--end-to-end-key-file FILE] read DOMAIN REVISION > volume

It was written from vault.md alone and shares no code with Palisade. It needs Debian's python3-cryptography and
python3-zstandard, and python3-argon2 for a passphrase, which it reads from standard input. BLAKE3 it computes by itself, slowly:
--trust leaves out the naming and marks of chunks, which their authentication tags cover nearly as well; that a base and its patch
belong together only the name says, and the tag of the list that has them. What a computer has sealed end to end opens with the
key file of that computer, and with the vault's key besides.
"""
import argparse
import hashlib
import hmac
import json
import os
import struct
import sys
import unicodedata
import zlib

import zstandard
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


class Damaged(Exception):
    pass


def require(condition, message):
    if not condition:
        raise Damaged(message)


# BLAKE3 (https://github.com/BLAKE3-team/BLAKE3-specs), keyed mode, 32 bytes of output.

BLAKE3_IV = struct.unpack('<8I', bytes.fromhex('67e6096a85ae67bb72f36e3c3af54fa57f520e518c68059babd9831f19cde05b'))
BLAKE3_ORDER = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
BLAKE3_LANES = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
                (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))
CHUNK_START, CHUNK_END, PARENT, ROOT, KEYED = 1, 2, 4, 8, 16


def blake3_compress(chaining, block, counter, length, flags):
    v = [*chaining, *BLAKE3_IV[:4], counter & 0xFFFFFFFF, counter >> 32, length, flags]
    m = struct.unpack('<16I', block.ljust(64, b'\0'))
    for _ in range(7):
        for i, (a, b, c, d) in enumerate(BLAKE3_LANES):
            va, vb, vc, vd = v[a], v[b], v[c], v[d]
            va = (va + vb + m[2 * i]) & 0xFFFFFFFF
            vd ^= va
            vd = (vd >> 16 | vd << 16) & 0xFFFFFFFF
            vc = (vc + vd) & 0xFFFFFFFF
            vb ^= vc
            vb = (vb >> 12 | vb << 20) & 0xFFFFFFFF
            va = (va + vb + m[2 * i + 1]) & 0xFFFFFFFF
            vd ^= va
            vd = (vd >> 8 | vd << 24) & 0xFFFFFFFF
            vc = (vc + vd) & 0xFFFFFFFF
            vb ^= vc
            v[a], v[b], v[c], v[d] = va, (vb >> 7 | vb << 25) & 0xFFFFFFFF, vc, vd
        m = [m[i] for i in BLAKE3_ORDER]
    return [v[i] ^ v[i + 8] for i in range(8)]


def blake3_subtree(key, data, counter, flags):
    """The chaining value of some input that begins with the chunk of this number; flags hold ROOT for all of it."""
    if len(data) <= 1024:
        chaining = key
        blocks = [data[at:at + 64] for at in range(0, len(data), 64)] or [b'']
        for index, block in enumerate(blocks):
            first = CHUNK_START if index == 0 else 0
            last = CHUNK_END | flags if index == len(blocks) - 1 else 0
            chaining = blake3_compress(chaining, block, counter, len(block), KEYED | first | last)
        return chaining
    # The left side is as large a power of two of chunks as leaves something for the right side.
    left = 1024
    while left * 2 < len(data):
        left *= 2
    both = blake3_subtree(key, data[:left], counter, 0) + blake3_subtree(key, data[left:], counter + left // 1024, 0)
    return blake3_compress(key, struct.pack('<16I', *both), 0, 64, KEYED | PARENT | flags)


def keyed_blake3(key, data):
    return struct.pack('<8I', *blake3_subtree(list(struct.unpack('<8I', key)), data, 0, ROOT))


def hkdf(key, info, length=32):
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=None, info=info).derive(key)


def unzstd(frame):
    return zstandard.ZstdDecompressor().decompressobj().decompress(frame)


def text(*parts):
    return b'\0'.join(part.encode() for part in parts)


def derive(secret, *purpose, length=32):
    return hkdf(secret, b'palisade-vault/1/' + text(*purpose), length)


def lay_over(base, patch):
    """The content of a patched chunk: its base, with the pieces of the patch where the map in front of them has bits."""
    piece_size = len(base) // 128
    pieces = [piece for piece in range(128) if int.from_bytes(patch[:16], 'little') >> piece & 1]
    require(len(patch) == 16 + len(pieces) * piece_size, 'its patch has not the length that its map asks for')
    content = bytearray(base)
    for number, piece in enumerate(pieces):
        at = 16 + number * piece_size
        content[piece * piece_size:(piece + 1) * piece_size] = patch[at:at + piece_size]
    return bytes(content)


def names_in(folder):
    """What lies below a folder. It is there only since something lies in it: a computer may have packs and no revision."""
    return sorted(os.listdir(folder)) if os.path.isdir(folder) else []


class ChunkKeys:
    """What chunks of a domain are named and sealed with: derived from the master key, or from the computer's own key."""

    def __init__(self, secret, domain):
        self.sealing = AESGCM(derive(secret, 'chunk-sealing', domain))
        self.naming = derive(secret, 'chunk-naming', domain)


class Vault:
    def __init__(self, folder, key_file, passphrase):
        self.folder = folder
        with open(os.path.join(folder, 'vault.json'), encoding='utf-8') as file:
            self.configuration = json.load(file)
        require(self.configuration['format'] == 'palisade-vault', 'not a vault')
        self.key_file, self.passphrase = key_file, passphrase
        self.master = self.find_master_key()

    def user_key(self, parameters):
        if parameters is None:
            require(self.key_file is not None, 'this key slot needs a key file')
            with open(self.key_file, 'rb') as file:
                return file.read()
        require(self.passphrase is not None, 'this key slot needs a passphrase')
        from argon2.low_level import Type, hash_secret_raw
        return hash_secret_raw(
            unicodedata.normalize('NFC', self.passphrase).encode(), bytes.fromhex(parameters['salt']),
            time_cost=parameters['passes'], memory_cost=parameters['memoryKibibytes'],
            parallelism=parameters['lanes'], hash_len=32, type=Type.ID)

    def find_master_key(self):
        configuration = self.configuration
        if configuration['version'] == 1:
            return self.checked(self.user_key(configuration['passphrase']))
        require(configuration['version'] == 2, 'a newer version of the format')
        for slot in configuration['keySlots']:
            if (slot['passphrase'] is None) != (self.key_file is not None):
                continue
            slot_key = hkdf(self.user_key(slot['passphrase']), b'palisade-vault/2/key-slot')
            sealed = bytes.fromhex(slot['sealed'])
            try:
                belongs_to = text('key-slot', configuration['id'], slot['id'])
                return self.checked(AESGCM(slot_key).decrypt(sealed[:12], sealed[12:], belongs_to))
            except Exception:
                continue
        raise Damaged('the key opens no slot of this vault')

    def checked(self, master):
        check_key = hkdf(master, b'palisade-vault/1/key-check')
        about = f"{self.configuration['id']}:{self.configuration['chunkSizeBytes']}".encode()
        check = hmac.new(check_key, about, hashlib.sha256).hexdigest()
        require(check == self.configuration['keyCheck'], 'the key is not the key of this vault')
        return master

    def key(self, *purpose, length=32):
        return derive(self.master, *purpose, length=length)

    def open_record(self, key, record, belongs_to):
        return unzstd(AESGCM(key).decrypt(record[:12], record[12:], belongs_to))

    def domains(self):
        for tag in names_in(os.path.join(self.folder, 'domains')):
            with open(os.path.join(self.folder, 'domains', tag, 'domain'), 'rb') as file:
                yield self.open_record(self.key('domain-names'), file.read(), text('domain', tag)).decode()


class Domain:
    def __init__(self, vault, name, trust, own_key=None):
        self.vault, self.name, self.trust = vault, name, trust
        self.tag = vault.key('domain-tag', name, length=16).hex()
        self.folder = os.path.join(vault.folder, 'domains', self.tag)
        self.keys = ChunkKeys(vault.master, name)
        self.own_keys = ChunkKeys(own_key, name) if own_key is not None else None
        self.marking = vault.key('chunk-marks', name)

    def revisions(self):
        return names_in(os.path.join(self.folder, 'revisions'))

    def revision(self, revision):
        """The head, the names of the chunks, None where the volume is zero, and the patched ones by position."""
        with open(os.path.join(self.folder, 'revisions', revision), 'rb') as file:
            content = file.read()
        magic, version, head_length, list_length = struct.unpack_from('<8sIIQ', content)
        require(magic == b'PLSDREVN', 'not a revision')
        require(version in (1, 2), f'a revision of layout version {version}, and only 1 and 2 are known')
        require(len(content) == 24 + head_length + list_length, 'a revision of another length')
        records = self.vault.key('records', self.name)
        head_record = content[24:24 + head_length]
        head = json.loads(self.vault.open_record(records, head_record, text('head', self.tag, revision)))
        belongs_to = text('chunks', self.tag, revision, '') + head_record[-16:]
        stored = self.vault.open_record(records, content[24 + head_length:], belongs_to)
        count = head['chunkCount']
        names, place = [], (count + 7) // 8
        for index in range(count):
            is_stored = stored[index // 8] >> index % 8 & 1
            names.append(stored[place:place + 32] if is_stored else None)
            place += 32 * is_stored
        require(place == len(stored) or version == 2 and place < len(stored), 'a chunk list of another length')
        return head, names, self.patched(head, names, stored[place:])

    def patched(self, head, names, table):
        """Base and patch of each patched chunk, by its position."""
        require(len(table) % 68 == 0, 'a table of patched chunks of another length')
        patched, last = {}, -1
        for position, base_id, patch_id in struct.iter_unpack('<I32s32s', table):
            require(position > last, 'a table of patched chunks that does not ascend')
            is_whole = position < head['capacityBytes'] // head['chunkSizeBytes']
            require(is_whole and names[position], f'chunk {position} is patched, and it is zero or not a whole one')
            patched[position] = base_id, patch_id
            last = position
        return patched

    def index(self):
        """Where each chunk lies, by the tables of all packs."""
        tables_key = self.vault.key('tables', self.name)
        places = {}
        for pack in names_in(os.path.join(self.folder, 'packs')):
            path = os.path.join(self.folder, 'packs', pack)
            with open(path, 'rb') as file:
                header = file.read(48)
                file.seek(-64, os.SEEK_END)
                footer_at, footer = file.tell(), file.read()
                _, table_at, count, crc = struct.unpack_from('<QQII', footer)
                file.seek(table_at)
                table = file.read(footer_at - table_at)
            expected = b'PLSDPACK' + struct.pack('<II', 1, 0) + bytes.fromhex(pack) + bytes.fromhex(self.tag)
            require(header == expected and footer[56:] == b'PLSDPEND', f'{path} is no pack of this domain')
            require(len(table) == count * 40 and zlib.crc32(table) == crc, f'the table of {path} is damaged')
            mac = keyed_blake3(tables_key, header + table + footer[:24])
            require(hmac.compare_digest(mac, footer[24:56]), f'the table of {path} is not authentic')
            for at in range(0, len(table), 40):
                places[table[at:at + 32]] = (path, *struct.unpack_from('<II', table, at + 32))
        return places

    def open_chunk(self, places, chunk_id, part='content'):
        """What a chunk holds, and the keys that it is named and sealed with."""
        called = f'its {part} {chunk_id.hex()}'
        require(chunk_id in places, f'{called} is in no pack')
        path, offset, length = places[chunk_id]
        with open(path, 'rb') as file:
            file.seek(offset)
            sealed = file.read(length)
        require(sealed[0] in (1, 2) and sealed[1] in (0, 1), f'{called} is no sealed chunk')
        keys = self.keys
        if sealed[0] == 2:
            sealed, mark = sealed[:-32], sealed[-32:]
            require(self.trust or keyed_blake3(self.marking, chunk_id + sealed) == mark, f'{called} has a wrong mark')
            require(self.own_keys is not None, f'{called} is sealed end to end: it needs --end-to-end-key-file')
            keys = self.own_keys
        try:
            content = keys.sealing.decrypt(sealed[2:14], sealed[14:], sealed[:2] + chunk_id)
        except InvalidTag:
            raise Damaged(f'{called} is changed, or sealed with another key') from None
        plaintext = unzstd(content) if sealed[1] == 1 else content
        require(self.trust or keyed_blake3(keys.naming, plaintext) == chunk_id, f'{called} has another content')
        return plaintext, keys

    def open_patched(self, places, name, base_id, patch_id):
        base, _ = self.open_chunk(places, base_id, 'base')
        require(len(base) == self.vault.configuration['chunkSizeBytes'], 'its base is not a whole chunk')
        patch, keys = self.open_chunk(places, patch_id, 'patch')
        content = lay_over(base, patch)
        require(self.trust or keyed_blake3(keys.naming, content) == name,
                f'its base {base_id.hex()} and patch {patch_id.hex()} do not make the chunk {name.hex()}')
        return content

    def write(self, revision, output):
        head, names, patched = self.revision(revision)
        places = self.index()
        remaining = head['capacityBytes']
        for position, name in enumerate(names):
            length = min(remaining, head['chunkSizeBytes'])
            try:
                if name is None:
                    content = bytes(length)
                elif position in patched:
                    content = self.open_patched(places, name, *patched[position])
                else:
                    content, _ = self.open_chunk(places, name)
                require(len(content) == length, 'it has another length')
            except Damaged as damage:
                raise Damaged(f'chunk {position}: {damage}') from None
            output.write(content)
            remaining -= length


def own_key_of(wish):
    if wish.end_to_end_key_file is None:
        return None
    with open(wish.end_to_end_key_file, 'rb') as file:
        key = file.read()
    require(len(key) == 32, 'a key file has 32 bytes')
    return key


def about(metadata):
    """What a revision is of, where Palisade has written it: revisions.md, "What it is of"."""
    def member(value, name):
        return value.get(name) if isinstance(value, dict) else None
    volume, origin = member(member(metadata, 'commit'), 'volume'), member(metadata, 'origin')
    said = {name: member(volume, name) for name in ('label', 'fileSystem', 'isBoot', 'sourcePath')}
    said['partition'] = member(member(volume, 'placement'), 'number')
    said |= {name: member(origin, name) for name in ('source', 'hostName', 'setName')}
    return {name: value for name, value in said.items() if value is not None}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder')
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument('--key-file')
    source.add_argument('--passphrase', action='store_true')
    parser.add_argument('--trust', action='store_true', help='do not name and mark chunks anew')
    parser.add_argument('--end-to-end-key-file', help='the key file of the computer that the domain is of')
    what = parser.add_subparsers(dest='what', required=True)
    what.add_parser('list')
    read = what.add_parser('read')
    read.add_argument('domain')
    read.add_argument('revision')
    wish = parser.parse_args()
    passphrase = sys.stdin.readline().rstrip('\r\n') if wish.passphrase else None
    vault = Vault(wish.folder, wish.key_file, passphrase)
    if wish.what == 'read':
        Domain(vault, wish.domain, wish.trust, own_key_of(wish)).write(wish.revision, sys.stdout.buffer)
        return
    for name in vault.domains():
        domain = Domain(vault, name, wish.trust)
        for revision in domain.revisions():
            head, _, _ = domain.revision(revision)
            shown = {key: head[key] for key in ('domain', 'revision', 'volume', 'capacityBytes', 'createdMs')}
            print(json.dumps(shown | about(head['metadata'])))


if __name__ == '__main__':
    try:
        main()
    except Damaged as damage:
        sys.exit(f'read-vault.py: {damage}')
