import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openFile } from '../byte-source.ts'
import { MIB } from '../extent.ts'
import { writeSparse } from '../testing/disk-bytes.ts'
import { askOracle, hasOracle } from '../testing/oracle.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { readDiskFrame, readFrameTable } from './disk-frame.ts'
import { readPartitionTable } from './read.ts'

const diskSizeBytes = 96 * MIB + 512

/** Scripts of sfdisk: tables as other people's tools lay them out. */
const tables = {
  'an MBR with logical drives': `label: dos
label-id: 0xcafe1234
start=63, size=8001, type=7, bootable
start=16384, size=16384, type=83
start=40960, size=100000, type=f
start=43008, size=8192, type=83
start=53248, size=8192, type=82
start=63488, size=40000, type=7
`,
  'a GPT with a BIOS boot partition': `label: gpt
label-id: 9BD72A1C-4B5B-4E2C-9F33-0D6A1F0E77AA
start=2048, size=2048, type=21686148-6449-6E6F-744E-656564454649
start=4096, size=65536, type=U, name="EFI system", attrs="RequiredPartition"
start=69632, size=65536, type=0FC63DAF-8483-4772-8E79-3D69D8477DE4, name="root", uuid=11111111-2222-4333-8444-555555555555
`,
} as const

for (const [name, script] of Object.entries(tables)) {
  test(`the frame of ${name} makes the same disk again`, async (t) => {
    if (!hasOracle(t, 'sfdisk') || !hasOracle(t, 'sgdisk')) return
    const directory = await temporaryDirectory(t)
    const [original, copy] = [join(directory, 'original.raw'), join(directory, 'copy.raw')]
    await writeSparse(original, diskSizeBytes, [])
    execFileSync('sfdisk', ['-q', original], { input: script, env: searchPath, stdio: 'pipe' })
    const loader = randomBytes(20_000)
    const gptEndBytes = 34 * 512
    await put(original, [
      [0, randomBytes(440)],
      [name.startsWith('a GPT') ? MIB : 512, loader],
      [name.startsWith('a GPT') ? gptEndBytes : 30_000, randomBytes(100)],
    ])
    const source = await openOf(t, original)
    const table = await readPartitionTable(source)
    const frame = await readDiskFrame(source, table)
    const sizeBytes = frame.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)
    assert.ok(sizeBytes < 128 * 1024, `${sizeBytes}`)
    assert.deepEqual(await readFrameTable(frame, table), table)

    await writeSparse(copy, diskSizeBytes, frame)
    const dump = (path: string) => askOracle('sfdisk', '-d', path).text.replaceAll(path, 'disk')
    assert.equal(dump(copy), dump(original))
    assert.ok(dump(copy).split('\n').length > 8)
    execFileSync('cmp', [copy, original])
    if (table.scheme === 'gpt') assert.match(askOracle('sgdisk', '-v', copy).text, /No problems found/)
  })
}

test('a frame without its table is no disk', async () => {
  assert.equal(
    await readFrameTable([{ offsetBytes: 0, bytes: Buffer.alloc(512) }], {
      diskSizeBytes: MIB,
      sectorSizeBytes: 512,
    }),
    undefined,
  )
})

const searchPath = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` }

async function put(path: string, pieces: readonly (readonly [number, Buffer])[]): Promise<void> {
  const handle = await open(path, 'r+')
  for (const [offset, bytes] of pieces) await handle.write(bytes, 0, bytes.length, offset)
  await handle.close()
}

async function openOf(t: TestContext, path: string) {
  const source = await openFile(path)
  t.after(() => source.close())
  return source
}
