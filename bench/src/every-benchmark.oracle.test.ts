import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { killIfThere, root } from '@palisade/tests'
import { type Benchmark, benchmarks } from './benchmarks.ts'
import { missingPackages } from './packages.ts'

type Name = keyof typeof benchmarks

const archivers = ['palisade', 'restic', 'borg lz4', 'borg zstd']
const trackingArchivers = ['palisade, tracked', 'palisade', 'restic', 'borg lz4']
const configurations = ['of 20', 'of 10']
const engines = [
  'palisade',
  'nginx with ModSecurity',
  'palisade, no rules',
  'nginx, no rules',
  'Caddy, no rules',
]

/** Who stands in the tables that a short run of each benchmark prints, table by table. A new benchmark gets a line here. */
const tables: Readonly<Record<Name, readonly (readonly string[])[]>> = {
  listing: times(2, ['palisade, authenticated', 'bare Fastify route']),
  management: times(2, ['palisade', 'Prism']),
  scale: times(3, configurations),
  'carried-changes': [configurations],
  'several-servers': [
    ...times(3, ['two servers', 'one server']),
    ...Array(3)
      .fill([
        ['asked, of two servers', 'not asked, of two servers', 'one server'],
        ['two servers', 'one server'],
      ])
      .flat(),
  ],
  restore: [
    ['palisade', 'cp --sparse=never', 'qemu-img convert'],
    [
      'palisade',
      'qemu-img convert',
      'qemu-img convert, then sync',
      'qemu-img convert, image in the cache',
      'cp --sparse=never',
    ],
  ],
  rules: times(3, ['palisade', 'ModSecurity 3']),
  traffic: times(3, engines),
  vault: [
    ...times(4, archivers),
    [
      'palisade, Vhdx',
      'palisade, Vhd',
      'restic restore',
      'restic restore --verify, sync',
      'borg extract (lz4)',
      'borg extract (zstd)',
      'qemu-img to vhdx',
      'qemu-img to vhdx, sync',
      'qemu-img to vpc',
      'qemu-img to vpc, sync',
    ],
    ...times(2, trackingArchivers),
  ],
  bucket: times(2, ['palisade, 0 ms', 'restic, 0 ms', 'palisade, 50 ms', 'restic, 50 ms']),
  'standby-uploads': times(4, ['passed on', 'stored by the standby']),
  memory: [
    ['16 MiB', '1 GiB'],
    ['16 MiB, Vhdx', '16 MiB, Vhd', '1 GiB, Vhdx', '1 GiB, Vhd'],
  ],
  // 18 listings, 8 of them also in the middle, on both stores.
  administration: times(2 * 26, ['palisade', 'plain SQL']),
  machine: [['as a virtual machine', 'as virtual disks']],
}

/** Those whose tests began. */
const starts: string[] = []

for (const [name, { packages }] of Object.entries<Benchmark>(benchmarks)) {
  test(`the benchmark ${name} runs in its short form, with its peers`, { timeout: 600_000 }, async (t) => {
    starts.push(name)
    const missing = missingPackages(packages)
    if (missing.length > 0 && process.getuid?.() !== 0) {
      t.skip(`not installed: ${missing.join(', ')}`)
      return
    }
    const output = await shortRun(t, name)
    t.diagnostic(output.split('\n').find((line) => line.startsWith(name)) ?? '')
    const [, why] = /^Tracked changes are not measured: (.*)$/m.exec(output) ?? []
    if (why !== undefined) await t.test('tracked changes', (t) => t.skip(why))
    const printedTables = tablesIn(output)
    assert.deepEqual(
      printedTables.map((rows) => rows.map((row) => row.name)),
      tables[name as Name].filter((rows) => why === undefined || rows !== trackingArchivers),
      output,
    )
    const memory = output.match(/^\| after time 3 \| \d+ \| \d+ \| \d+ MiB \|$/gm) ?? []
    assert.equal(memory.length, name === 'administration' ? 2 : 0, output)
    for (const { figures } of printedTables.flat()) {
      assert.ok(figures.length >= 3 && figures.every(Number.isFinite), output)
    }
  })
}

test('every benchmark was run, and has its line in the README', () => {
  const names = Object.keys(benchmarks)
  assert.ok(names.length >= 10)
  assert.deepEqual(starts, names)
  const readme = readFileSync(join(root, 'bench', 'README.md'), 'utf8')
  const lines = Array.from(readme.matchAll(/^\| `([\w-]+)` /gm), ([, name]) => name)
  assert.deepEqual(lines.toSorted(), names.toSorted())
})

function times(count: number, rows: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: count }, () => rows)
}

/** What a short run prints. Rejects with that when it fails. Whatever it leaves running is ended. */
async function shortRun(t: TestContext, name: string): Promise<string> {
  const program = join(root, 'bench', 'dist', 'main.js')
  const bench = spawn(process.execPath, [program, '--short', name], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // It leads a group of processes.
    detached: true,
  })
  t.after(() => bench.pid !== undefined && killIfThere(-bench.pid))
  const [output, complaints, [status]] = await Promise.all([
    text(bench.stdout),
    text(bench.stderr),
    once(bench, 'exit'),
  ])
  assert.equal(status, 0, `${output}${complaints}`)
  return output
}

interface Row {
  readonly name: string
  /** Medians and ratios; not a number where there is none in a column. */
  readonly figures: readonly number[]
}

/** The rows below each line with the sign of ratios that is indented. */
function tablesIn(output: string): readonly (readonly Row[])[] {
  const rows: Row[][] = []
  let table: Row[] | undefined
  for (const line of output.split('\n')) {
    const [, name, columns = ''] = /^ {2}(\S.*?) {2,}(\S.*)$/.exec(line) ?? []
    if (/^ {2} .* ×/.test(line)) {
      table = []
      rows.push(table)
    } else if (name === undefined) table = undefined
    else table?.push({ name, figures: figuresIn(columns) })
  }
  return rows
}

/** Numbers, without the spread in parentheses and the words between them. */
function figuresIn(columns: string): readonly number[] {
  const words = columns
    .replaceAll(/\([^)]*\)|,/g, ' ')
    .trim()
    .split(/\s+/)
  return words.filter((word) => !/^[a-z]+$/.test(word)).map(Number)
}
