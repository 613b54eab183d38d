import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { hasTools } from '../testing/tool.ts'
import type { ExportedDisk } from './nbd-server.ts'
import { NbdServer } from './nbd-server.ts'

const mebibyte = 1024 * 1024
const execute = promisify(execFile)

/** A disk of which every other 64 KiB are zeros, that fails where it is told to. */
function diskOf(content: Buffer, failsAt = -1): ExportedDisk {
  const piece = 65_536
  return {
    sizeBytes: content.length,
    async read(target, position) {
      if (position <= failsAt && failsAt < position + target.byteLength) throw new Error('this part is bad')
      target.set(content.subarray(position, position + target.byteLength))
    },
    *extents({ offsetBytes, sizeBytes }) {
      for (let at = offsetBytes; at < offsetBytes + sizeBytes; ) {
        const end = Math.min((Math.floor(at / piece) + 1) * piece, offsetBytes + sizeBytes)
        yield { offsetBytes: at, sizeBytes: end - at, isZero: Math.floor(at / piece) % 2 === 1 }
        at = end
      }
    },
  }
}

function striped(sizeBytes: number): Buffer {
  const content = randomBytes(sizeBytes)
  for (let at = 65_536; at < sizeBytes; at += 131_072) content.fill(0, at, at + 65_536)
  return content
}

async function serve(t: TestContext, disks: Readonly<Record<string, ExportedDisk>>) {
  const directory = temporaryDirectory(t)
  const socketPath = join(directory, 'nbd.sock')
  const failures: unknown[] = []
  const server = await NbdServer.listen(socketPath, new Map(Object.entries(disks)), (error) =>
    failures.push(error),
  )
  t.after(() => server.close())
  const uri = (name: string) => `nbd+unix:///${name}?socket=${socketPath}`
  return { directory, socketPath, uri, failures }
}

test('nbdinfo lists what there is, and what of it is zeros', async (t) => {
  if (!hasTools(t, 'nbdinfo')) return
  const { uri } = await serve(t, { first: diskOf(striped(mebibyte + 512)), second: diskOf(striped(4096)) })
  const { stdout } = await execute('nbdinfo', ['--json', '--list', uri('')])
  const { exports } = JSON.parse(stdout)
  const listedExports = exports.map((one: Record<string, unknown>) => [
    one['export-name'],
    one['export-size'],
    one.is_read_only,
  ])
  assert.deepEqual(listedExports, [
    ['first', mebibyte + 512, true],
    ['second', 4096, true],
  ])
  const map = JSON.parse((await execute('nbdinfo', ['--json', '--map', uri('first')])).stdout)
  assert.equal(map.length, 17)
  assert.deepEqual(
    map.slice(0, 2).map(({ offset, length, type }: Record<string, number>) => [offset, length, type]),
    [
      [0, 65_536, 0],
      [65_536, 65_536, 3],
    ],
  )
})

test('qemu-img reads every byte, with structure and without', async (t) => {
  if (!hasTools(t, 'qemu-img', 'nbdinfo')) return
  const content = striped(9 * mebibyte + 512)
  const { uri, directory } = await serve(t, { disk: diskOf(content) })
  const file = join(directory, 'content.raw')
  writeFileSync(file, content)
  const { stdout } = await execute('qemu-img', ['compare', '-f', 'raw', '-F', 'raw', file, uri('disk')])
  assert.match(stdout, /Images are identical/)
  // nbdcopy asks for many things at once, over several connections.
  const copy = join(directory, 'copy.raw')
  writeFileSync(copy, Buffer.alloc(content.length))
  await execute('nbdcopy', ['--connections=4', '--requests=64', uri('disk'), copy])
  assert.match(
    (await execute('qemu-img', ['compare', '-f', 'raw', '-F', 'raw', file, copy])).stdout,
    /identical/,
  )
})

test('what cannot be read is an error of its own, and the rest is still there', async (t) => {
  if (!hasTools(t, 'qemu-io')) return
  const { uri, failures } = await serve(t, { disk: diskOf(striped(mebibyte), 300_000) })
  const io = (command: string) =>
    execute('qemu-io', ['-r', '-f', 'raw', '-c', command, uri('disk')]).then(
      ({ stdout }) => stdout,
      (error: { stdout?: string }) => error.stdout ?? '',
    )
  assert.match(await io('read 262144 65536'), /read failed: Input\/output error/)
  assert.equal(failures.length, 1)
  assert.match(await io('read 0 65536'), /read 65536\/65536 bytes/)
})

test('nobody writes, and there is no export that was not named', async (t) => {
  if (!hasTools(t, 'qemu-io', 'nbdinfo')) return
  const { uri } = await serve(t, { disk: diskOf(striped(mebibyte)) })
  await assert.rejects(execute('qemu-io', ['-f', 'raw', '-c', 'write 0 512', uri('disk')]))
  await assert.rejects(execute('nbdinfo', [uri('other')]))
})

test('a client that breaks the protocol is let go, and others are served', async (t) => {
  if (!hasTools(t, 'nbdinfo')) return
  const { uri, socketPath } = await serve(t, { disk: diskOf(striped(mebibyte)) })
  const hello = Buffer.from('00000003', 'hex')
  const option = (number: number, sizeBytes: number, data = Buffer.alloc(0)) => {
    const head = Buffer.alloc(16)
    head.write('IHAVEOPT', 'latin1')
    head.writeUInt32BE(number, 8)
    head.writeUInt32BE(sizeBytes, 12)
    return Buffer.concat([hello, head, data])
  }
  const broken = [
    Buffer.from('GET / HTTP/1.1\r\n\r\n'),
    Buffer.from('00000000', 'hex'),
    option(7, 0xffff_ffff),
    option(1, 3, Buffer.from('not')),
    Buffer.concat([hello, randomBytes(64)]),
    Buffer.concat([option(1, 4, Buffer.from('disk')), randomBytes(28)]),
  ]
  let ran = 0
  for (const bytes of broken) {
    await new Promise<void>((resolve, reject) => {
      const socket = connect(socketPath, () => socket.write(bytes))
      socket.on('close', () => resolve())
      socket.on('error', reject)
      socket.resume()
    })
    ran++
  }
  assert.equal(ran, broken.length)
  // Options that are nonsense, but have the form of one, are answered.
  const answer = await new Promise<Buffer>((resolve) => {
    const socket = connect(socketPath, () => socket.write(option(7, 4, Buffer.from('ffffffff', 'hex'))))
    const pieces: Buffer[] = []
    socket.on('data', (piece) => {
      pieces.push(piece)
      const all = Buffer.concat(pieces)
      if (all.length < 18 + 20) return
      socket.destroy()
      resolve(all.subarray(18))
    })
  })
  assert.equal(answer.readUInt32BE(12), 0x8000_0003)
  await execute('nbdinfo', [uri('disk')])
})
